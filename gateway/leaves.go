package gateway

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// eachText calls do for every text in a value, with the name of the member that it is in, and puts what do returns in its place. Names
// come in order. Numbers are texts here, for a number can be a secret too; one that do changes becomes a text.
func eachText(v any, name string, do func(name, text string) string) any {
	switch v := v.(type) {
	case string:
		return do(name, v)
	case json.Number:
		if text := do(name, v.String()); text != v.String() {
			return text
		}
	case []any:
		for i := range v {
			v[i] = eachText(v[i], name, do)
		}
	case map[string]any:
		for _, n := range slices.Sorted(maps.Keys(v)) {
			v[n] = eachText(v[n], n, do)
		}
	}
	return v
}

// hideIn redacts the texts of a value, each by itself and with the name of its member before it, which may tell that it is a secret. It
// reports whether there was something to hide; only then the value is another one.
func hideIn(ctx context.Context, hide redact.Func, tenant string, v any) (changed bool, err error) {
	var all strings.Builder
	eachText(v, "", func(name, text string) string {
		all.WriteString(name + ": " + text + "\n")
		return text
	})
	_, found, err := hide(ctx, tenant, all.String())
	if err != nil || len(found) == 0 {
		return false, err
	}
	pass := hide.Pass(ctx, tenant)
	eachText(v, "", func(name, text string) string {
		clean := hideNamed(pass, name, text)
		changed = changed || clean != text
		return clean
	})
	return changed, pass.Err()
}

func hideNamed(pass *redact.Pass, name, text string) string {
	whole, _ := pass.Text(name + ": " + text)
	if clean, ok := strings.CutPrefix(whole, name+": "); ok {
		return clean
	}
	clean, _ := pass.Text(text)
	return clean
}

// hidden returns raw JSON without secrets: the same bytes where there are none.
func hidden(ctx context.Context, hide redact.Func, tenant string, raw json.RawMessage) (json.RawMessage, error) {
	v, err := ijson.Parse(raw)
	if err != nil {
		return nil, err
	}
	top := []any{v}
	changed, err := hideIn(ctx, hide, tenant, top)
	if err != nil || !changed {
		return raw, err
	}
	return ijson.Compact(top[0])
}
