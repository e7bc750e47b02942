package schema

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ctx-mcp/ctx-mcp"
)

// lookEvery is the number of values that are checked between two looks at the context.
const lookEvery = 1000

// leafCheck is one way through a value. It refuses the faults that no schema can: text with a NUL character, and numbers that no
// number type holds.
type leafCheck struct {
	*Checker
	ctx  context.Context
	seen int // values
}

// value checks a value. The places below at share one array: a copy at every level of deep JSON would be quadratic.
func (c *leafCheck) value(value any, at []string) error {
	if c.seen++; c.seen%lookEvery == 0 && c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	switch v := value.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s holds a NUL character", c.named(at)).WithHint("remove it")
		}
	case json.Number:
		if f, err := v.Float64(); err != nil || f == 0 && strings.ContainsAny(mantissa(v), "123456789") {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is out of the range of numbers", c.named(at))
		}
	case []any:
		for i, item := range v {
			if err := c.value(item, append(at, strconv.Itoa(i))); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := append(at, strings.ReplaceAll(name, "\x00", "\\0"))
			if err := cmp.Or(c.value(name, inner), c.value(v[name], inner)); err != nil {
				return err
			}
		}
	}
	return nil
}

// mantissa returns the digits of a number before its exponent.
func mantissa(n json.Number) string {
	digits, _, _ := strings.Cut(strings.ToLower(n.String()), "e")
	return digits
}

// validate holds a value against the schema. A long list at the top is looked at in parts, of which the first that is wrong tells: the
// library collects every problem of its input.
func (c *Checker) validate(ctx context.Context, value any) error {
	object, ok := value.(map[string]any)
	if !ok {
		return c.first(c.compiled.Validate(value), nil, 0)
	}
	short := maps.Clone(object)
	for name, v := range object {
		list, is := v.([]any)
		s := c.compiled.Properties[name]
		if is && s != nil && len(list) > lookEvery {
			short[name] = list[:lookEvery]
		}
	}
	if err := c.first(c.compiled.Validate(short), nil, 0); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		list, is := object[name].([]any)
		for from := lookEvery; is && c.compiled.Properties[name] != nil && from < len(list); from += lookEvery {
			if err := ctx.Err(); err != nil {
				return err
			}
			part := list[from:min(from+lookEvery, len(list))]
			if err := c.first(c.compiled.Properties[name].Validate(part), []string{name}, from); err != nil {
				return err
			}
		}
	}
	return nil
}

// first words the first problem that the library found in a part of the value: the part at a place, from an element on.
func (c *Checker) first(err error, at []string, from int) error {
	problem, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err
	}
	least := slices.MinFunc(leaves(problem, nil), func(a, b *jsonschema.ValidationError) int {
		return slices.Compare(a.InstanceLocation, b.InstanceLocation)
	})
	where := slices.Clone(least.InstanceLocation)
	if len(at) > 0 && len(where) > 0 {
		if i, err := strconv.Atoi(where[0]); err == nil {
			where[0] = strconv.Itoa(from + i)
		}
	}
	least.InstanceLocation = append(slices.Clone(at), where...)
	return c.describe(least)
}

// leaves adds the problems that have no cause of their own.
func leaves(e *jsonschema.ValidationError, all []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return append(all, e)
	}
	for _, cause := range e.Causes {
		all = leaves(cause, all)
	}
	return all
}
