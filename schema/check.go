package schema

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Checker checks JSON against one schema.
type Checker struct {
	compiled *jsonschema.Schema
	free     []string // those of them that take any JSON, which its reader checks
	noun     string   // the word for a property in messages: "argument", "field"
	unsaid   []string // the paths of properties that no hint names
}

// NewChecker compiles a schema that this package derived. noun is the word for a property in messages.
func NewChecker(raw json.RawMessage, noun string) (*Checker, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: validInstant})
	if err := c.AddResource("mem:schema", doc); err != nil {
		return nil, fmt.Errorf("add schema: %w", err)
	}
	compiled, err := c.Compile("mem:schema")
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	free, err := freeOf(raw)
	if err != nil {
		return nil, err
	}
	return &Checker{compiled, free, noun, nil}, nil
}

// Without returns a checker whose hints do not name the properties at some paths. It takes them all the same.
func (c *Checker) Without(unsaid ...string) *Checker {
	other := *c
	other.unsaid = unsaid
	return &other
}

// freeOf returns the properties at the top that may be any JSON: their schema has no constraint, only a description.
func freeOf(raw json.RawMessage) (free []string, err error) {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	for name, property := range s.Properties {
		keywords := map[string]any{}
		if string(property) == "true" || json.Unmarshal(property, &keywords) == nil && len(keywords) == 0 ||
			len(keywords) == 1 && keywords["description"] != nil {
			free = append(free, name)
		}
	}
	return free, nil
}

// Check returns a CodeInvalid Error for the first problem of the JSON, in words and in the order of the document's paths, where no list has more than
// a thousand elements. Values are never quoted: they may be secrets. It returns the error of ctx once that has ended.
func (c *Checker) Check(ctx context.Context, raw []byte) error {
	value, err := c.read(ctx, raw)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "not valid JSON").WithCause(err)
	}
	if err := (&leafCheck{Checker: c, ctx: ctx}).value(value, nil); err != nil {
		return err
	}
	return c.validate(ctx, value)
}

// read decodes JSON, with null for the properties that may be any JSON: their reader decodes them again, and they may be large.
func (c *Checker) read(ctx context.Context, raw []byte) (any, error) {
	if len(c.free) == 0 || !ijson.Valid(raw) || bytes.TrimLeft(raw, " \t\r\n")[0] != '{' {
		return ijson.Decode(ctx, raw)
	}
	object := map[string]any{}
	for quoted, value := range ijson.Members(raw) {
		name, err := ijson.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		object[name] = nil
		if slices.Contains(c.free, name) {
			continue
		}
		if object[name], err = ijson.Decode(ctx, value); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// describe words one problem.
func (c *Checker) describe(e *jsonschema.ValidationError) error {
	at := e.InstanceLocation
	invalid := func(format string, args ...any) *ctxmcp.Error {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, format, args...)
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return c.withKnown(invalid("missing required %s %q", c.noun, path(append(slices.Clone(at), k.Missing[0]))), at)
	case *kind.AdditionalProperties:
		return c.withKnown(invalid("unknown %s %s", c.noun, unknown(at, k.Properties)), at)
	case *kind.Type:
		return invalid("%s must be %s, not %s", c.named(at), article(strings.Join(k.Want, " or ")), article(k.Got))
	case *kind.Enum:
		return invalid("%s is not a known word", c.named(at)).WithHint("use one of: %s", list(k.Want))
	case *kind.Format:
		return invalid("%s is not a well-formed %s", c.named(at), k.Want).WithHint("%s", formatHints[k.Want])
	case *kind.MinLength:
		return invalid("%s is empty", c.named(at))
	case *kind.Minimum:
		return invalid("%s is below %s", c.named(at), k.Want.RatString())
	case *kind.Maximum:
		return invalid("%s is above %s", c.named(at), k.Want.RatString())
	default:
		return invalid("%s does not fit its schema", c.named(at))
	}
}

// unknown names the first few of the properties that nobody knows, and says how many more there are.
func unknown(at, properties []string) string {
	const most = 5
	slices.Sort(properties)
	var names []string
	for _, name := range properties[:min(len(properties), most)] {
		names = append(names, strconv.Quote(ctxmcp.Clip(path(append(slices.Clone(at), name)), maxName)))
	}
	text := strings.Join(names, ", ")
	if more := len(properties) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// withKnown adds the names that are known at a place.
func (c *Checker) withKnown(e *ctxmcp.Error, at []string) error {
	s := c.compiled
	for _, part := range at {
		inner := s.Properties[part]
		if inner == nil {
			inner = s.Items2020
		}
		if inner == nil {
			return e
		}
		s = inner
	}
	known := slices.DeleteFunc(slices.Sorted(maps.Keys(s.Properties)), func(name string) bool {
		return slices.Contains(c.unsaid, path(append(slices.Clone(at), name)))
	})
	if len(known) == 0 {
		return e
	}
	return e.WithHint("known are: %s", strings.Join(known, ", "))
}

// formatHints shows well-formed values.
var formatHints = map[string]string{
	"date-time": "write it as 2026-01-31T09:00:00Z",
	"uuid":      "write it as 0190d3c5-7a1b-7cc0-9a3f-2b1c4d5e6f70",
	"uri":       "write it with its scheme, as in https://example.org/page",
}

func validInstant(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	_, err := ctxmcp.ParseInstant(text)
	return err
}

// named returns `argument "scope.project"`, or the name of the whole.
func (c *Checker) named(at []string) string {
	if len(at) == 0 {
		return "the set of " + c.noun + "s"
	}
	return c.noun + " " + strconv.Quote(ctxmcp.Clip(path(at), maxName))
}

// path writes a location as a reader would: scope.project, tool_results[2].tool.
func path(at []string) string {
	var b strings.Builder
	for i, part := range at {
		if _, err := strconv.Atoi(part); err == nil && i > 0 {
			fmt.Fprintf(&b, "[%s]", part)
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(part)
	}
	return b.String()
}

func list(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
}

func article(typ string) string {
	switch {
	case typ == "null":
		return "null"
	case strings.HasPrefix(typ, "a"), strings.HasPrefix(typ, "i"), strings.HasPrefix(typ, "o"):
		return "an " + typ
	default:
		return "a " + typ
	}
}

// maxName is the number of characters that are shown of a name that the caller made up.
const maxName = 80
