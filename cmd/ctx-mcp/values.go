package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
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

type listValue []string

func (v *listValue) String() string { return strings.Join(*v, ",") }
func (v *listValue) Type() string   { return "list" }
func (v *listValue) Set(text string) error {
	*v = nil
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			*v = append(*v, part)
		}
	}
	return nil
}

type toolsetsValue []tools.Toolset

func (v *toolsetsValue) String() string { return strings.ReplaceAll(ctxmcp.Words(*v), " ", "") }
func (v *toolsetsValue) Type() string   { return "list" }
func (v *toolsetsValue) Set(text string) error {
	if text == "all" {
		*v = tools.Toolsets()
		return nil
	}
	var names listValue
	if err := names.Set(text); err != nil {
		return err
	}
	*v = nil
	for _, name := range names {
		if err := word(name, tools.Toolsets()); err != nil {
			return err
		}
		*v = append(*v, tools.Toolset(name))
	}
	return nil
}

type clearanceValue ctxmcp.Classification

func (v *clearanceValue) String() string { return string(*v) }
func (v *clearanceValue) Type() string   { return "class" }
func (v *clearanceValue) Set(text string) error {
	*v = clearanceValue(text)
	return word(text, ctxmcp.Classifications())
}

type authorityValue ctxmcp.Authority

func (v *authorityValue) String() string { return strconv.Itoa(int(*v)) }
func (v *authorityValue) Type() string   { return "level" }
func (v *authorityValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < int(ctxmcp.AuthorityPlatform) || n > int(ctxmcp.AuthorityRetrieved) {
		return fmt.Errorf("%q is not a level from 0 to 4", text)
	}
	*v = authorityValue(n)
	return nil
}

// word returns an error that lists the allowed words unless text is one.
func word[W ~string](text string, list []W) error {
	if !slices.Contains(list, W(text)) {
		return fmt.Errorf("%q is not known: use one of %s", text, ctxmcp.Words(list))
	}
	return nil
}

type authValue string

func (v *authValue) String() string { return string(*v) }
func (v *authValue) Type() string   { return "word" }
func (v *authValue) Set(text string) error {
	*v = authValue(text)
	return word(text, []string{"auto", "token"})
}

type levelValue string

func (v *levelValue) String() string { return string(*v) }
func (v *levelValue) Type() string   { return "word" }
func (v *levelValue) Set(text string) error {
	*v = levelValue(text)
	return word(text, []string{"debug", "info", "warn", "error"})
}

type formatValue string

func (v *formatValue) String() string { return string(*v) }
func (v *formatValue) Type() string   { return "word" }
func (v *formatValue) Set(text string) error {
	*v = formatValue(text)
	return word(text, []string{"text", "json"})
}

type labelsValue []string

func (v *labelsValue) String() string { return strings.Join(*v, ",") }
func (v *labelsValue) Type() string   { return "list" }
func (v *labelsValue) Set(text string) error {
	known := []string{}
	for _, l := range redact.Labels() {
		known = append(known, l.Name)
	}
	if err := (*listValue)(v).Set(text); err != nil {
		return err
	}
	for _, label := range *v {
		if err := word(label, known); err != nil {
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
	var parts listValue
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
	countByModel = "model"
	countByRatio = "ratio"
)

type counterValue string

func (v *counterValue) String() string { return string(*v) }
func (v *counterValue) Type() string   { return "word" }
func (v *counterValue) Set(text string) error {
	*v = counterValue(text)
	return word(text, []string{countByModel, countByRatio})
}
