package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	distances "github.com/adrg/strutil/metrics"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

type textValue string

func (v *textValue) String() string        { return string(*v) }
func (v *textValue) Set(text string) error { *v = textValue(text); return nil }
func (v *textValue) Type() string          { return "text" }

type idValue string

func (v *idValue) String() string { return string(*v) }
func (v *idValue) Type() string   { return "id" }
func (v *idValue) Set(text string) error {
	if text != "" && !ctxmcp.ValidID(text) {
		return fmt.Errorf("%q is not an id: use A-Z a-z 0-9 _ . -", text)
	}
	*v = idValue(text)
	return nil
}

type boolValue bool

func (v *boolValue) String() string   { return strconv.FormatBool(bool(*v)) }
func (v *boolValue) Type() string     { return "bool" }
func (v *boolValue) IsBoolFlag() bool { return true }
func (v *boolValue) Set(text string) error {
	b, err := strconv.ParseBool(text)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", text)
	}
	*v = boolValue(b)
	return nil
}

type intValue int

func (v *intValue) String() string { return strconv.Itoa(int(*v)) }
func (v *intValue) Type() string   { return "number" }
func (v *intValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a whole number from 0", text)
	}
	*v = intValue(n)
	return nil
}

type shareValue float64

func (v *shareValue) String() string { return strconv.FormatFloat(float64(*v), 'g', -1, 64) }
func (v *shareValue) Type() string   { return "share" }
func (v *shareValue) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return fmt.Errorf("%q is not between 0 and 1", text)
	}
	*v = shareValue(x)
	return nil
}

type rateValue float64

func (v *rateValue) String() string { return strconv.FormatFloat(float64(*v), 'g', -1, 64) }
func (v *rateValue) Type() string   { return "rate" }
func (v *rateValue) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1e6) {
		return fmt.Errorf("%q is not a number from 0 to 1e6", text)
	}
	*v = rateValue(x)
	return nil
}

type durationValue time.Duration

func (v *durationValue) String() string { return time.Duration(*v).String() }
func (v *durationValue) Type() string   { return "duration" }
func (v *durationValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a duration such as 10s", text)
	}
	*v = durationValue(d)
	return nil
}

// waitValue is a duration that may be 0.
type waitValue time.Duration

func (v *waitValue) String() string { return time.Duration(*v).String() }
func (v *waitValue) Type() string   { return "duration" }
func (v *waitValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not 0 or a duration such as 2m", text)
	}
	*v = waitValue(d)
	return nil
}

type List []string

func (v *List) String() string { return strings.Join(*v, ",") }
func (v *List) Type() string   { return "list" }
func (v *List) Set(text string) error {
	*v = nil
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			*v = append(*v, part)
		}
	}
	return nil
}

type toolsetsValue []tools.Toolset

// allToolsets is the word for every toolset.
const allToolsets tools.Toolset = "all"

func (v *toolsetsValue) String() string { return strings.ReplaceAll(ctxmcp.Words(*v), " ", "") }
func (v *toolsetsValue) Type() string   { return "list" }
func (v *toolsetsValue) Set(text string) error {
	var names List
	if err := names.Set(text); err != nil {
		return err
	}
	*v = nil
	for _, name := range names {
		if err := Word(name, slices.Concat(tools.Toolsets(), tools.Profiles(), []tools.Toolset{allToolsets})); err != nil {
			return err
		}
		if name == string(allToolsets) {
			*v = tools.Toolsets()
			return nil
		}
		*v = append(*v, tools.Toolset(name))
	}
	return nil
}

type Clearance ctxmcp.Classification

func (v *Clearance) String() string { return string(*v) }
func (v *Clearance) Type() string   { return "class" }
func (v *Clearance) Set(text string) error {
	*v = Clearance(text)
	return Word(text, ctxmcp.Classifications())
}

type Authority ctxmcp.Authority

func (v *Authority) String() string { return strconv.Itoa(int(*v)) }
func (v *Authority) Type() string   { return "level" }
func (v *Authority) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < int(ctxmcp.AuthorityPlatform) || n > int(ctxmcp.AuthorityRetrieved) {
		return fmt.Errorf("%q is not a level from 0 to 4", text)
	}
	*v = Authority(n)
	return nil
}

// Word returns an error that lists the allowed words unless text is one.
func Word[W ~string](text string, list []W) error {
	if slices.Contains(list, W(text)) {
		return nil
	}
	if near := Nearest(text, list); near != "" && len(list) > mostListed {
		return fmt.Errorf("%q is not known: did you mean %s?", text, near)
	}
	return fmt.Errorf("%q is not known: use one of %s", text, ctxmcp.Words(list))
}

// mostListed is the length of a list that an error names whole, also where one of its words is near.
const mostListed = 20

// Nearest returns the word of the list that is at most two edits from text, the nearest, or "".
func Nearest[W ~string](text string, list []W) (near W) {
	best, distance := 3, distances.NewLevenshtein()
	for _, w := range list {
		if d := distance.Distance(string(w), text); d < best {
			best, near = d, w
		}
	}
	return near
}

type authValue string

func (v *authValue) String() string { return string(*v) }
func (v *authValue) Type() string   { return "word" }
func (v *authValue) Set(text string) error {
	*v = authValue(text)
	return Word(text, []string{"auto", "token"})
}

type levelValue string

func (v *levelValue) String() string { return string(*v) }
func (v *levelValue) Type() string   { return "word" }
func (v *levelValue) Set(text string) error {
	*v = levelValue(text)
	return Word(text, []string{"debug", "info", "warn", "error"})
}

type formatValue string

func (v *formatValue) String() string { return string(*v) }
func (v *formatValue) Type() string   { return "word" }
func (v *formatValue) Set(text string) error {
	*v = formatValue(text)
	return Word(text, []string{"text", "json"})
}

type labelsValue []string

func (v *labelsValue) String() string { return strings.Join(*v, ",") }
func (v *labelsValue) Type() string   { return "list" }
func (v *labelsValue) Set(text string) error {
	known := []string{}
	for _, l := range redact.Labels() {
		known = append(known, l.Name)
	}
	if err := (*List)(v).Set(text); err != nil {
		return err
	}
	for _, label := range *v {
		if err := Word(label, known); err != nil {
			return err
		}
	}
	return nil
}

// limitsValue is numbers of tokens by name of model.
type limitsValue map[string]int

func (v *limitsValue) Type() string { return "list" }
func (v *limitsValue) String() string {
	var all []string
	for _, model := range slices.Sorted(maps.Keys(*v)) {
		all = append(all, fmt.Sprintf("%s=%d", model, (*v)[model]))
	}
	return strings.Join(all, ",")
}
func (v *limitsValue) Set(text string) error {
	var parts List
	if err := parts.Set(text); err != nil {
		return err
	}
	limits := map[string]int{}
	for _, part := range parts {
		model, number, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if model = strings.TrimSpace(model); model == "" || err != nil || n <= 0 {
			return fmt.Errorf("%q is not model=tokens, with tokens above 0", part)
		}
		limits[model] = n
	}
	*v = limits
	return nil
}

// The ways to count tokens.
const (
	CountByModel = "model"
	CountByRatio = "ratio"
)

type counterValue string

func (v *counterValue) String() string { return string(*v) }
func (v *counterValue) Type() string   { return "word" }
func (v *counterValue) Set(text string) error {
	*v = counterValue(text)
	return Word(text, []string{CountByModel, CountByRatio})
}

type piiValue packets.PII

func (v *piiValue) String() string { return string(*v) }
func (v *piiValue) Type() string   { return "word" }
func (v *piiValue) Set(text string) error {
	*v = piiValue(text)
	return Word(text, packets.Ways())
}

// tableValue is a table of names and values: name=value, separated by commas, or a section in the file.
type tableValue map[string]string

func (v *tableValue) Type() string { return "table" }

func (v *tableValue) String() string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(*v)) {
		pairs = append(pairs, name+"="+(*v)[name])
	}
	return strings.Join(pairs, ",")
}

func (v *tableValue) Set(text string) error {
	var list List
	if err := list.Set(text); err != nil {
		return err
	}
	*v = tableValue{}
	for _, pair := range list {
		name, val, ok := strings.Cut(pair, "=")
		name, val = strings.TrimSpace(name), strings.TrimSpace(val)
		if !ok || name == "" || val == "" {
			return fmt.Errorf("%q is not name=value", pair)
		}
		if _, twice := (*v)[name]; twice {
			return errors.New(name + " is there twice")
		}
		(*v)[name] = val
	}
	return nil
}

// Words of artifacts.keep_raw.
const (
	KeepNone      = "none"
	KeepEncrypted = "encrypted"
)

type keepRawValue string

func (v *keepRawValue) String() string { return string(*v) }
func (v *keepRawValue) Type() string   { return "word" }
func (v *keepRawValue) Set(text string) error {
	*v = keepRawValue(text)
	return Word(text, []string{KeepNone, KeepEncrypted})
}

// callerValue is agent or harness.
type callerValue string

func (v *callerValue) String() string { return string(*v) }
func (v *callerValue) Type() string   { return "word" }
func (v *callerValue) Set(text string) error {
	*v = callerValue(text)
	return Word(text, []string{agentCaller, ctxmcp.Harness})
}

// agentCaller is the word for a model that calls itself.
const agentCaller = "agent"
