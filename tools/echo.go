package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// maxErrorText is the length of an error's text, in characters: one that quotes all that it is about fills a model's context.
const maxErrorText = 2000

// redactError returns an error that quotes nothing secret of what the caller wrote, and not too much of it: errors name what they are
// about, and may cut it short, so that a redactor alone would no longer know it.
func (s *Services) redactError(ctx context.Context, tenant, written string, err error) error {
	hide := s.Redact.Pass(ctx, tenant)
	clean := ctxmcp.Reworded(err, func(text string) string { return ctxmcp.Clip(hide.Echo(text, written), maxErrorText) })
	if err := hide.Err(); err != nil {
		return err
	}
	return clean
}

// argumentText returns the names and the texts in arguments, a line each.
func argumentText(ctx context.Context, arguments json.RawMessage) string {
	v, err := ijson.Decode(ctx, arguments)
	if err != nil {
		return string(arguments)
	}
	var b bytes.Buffer
	write(&b, v)
	return b.String()
}

func write(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			write(b, one)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(name + ": ")
			write(b, v[name])
		}
	default:
		fmt.Fprintln(b, v)
	}
}
