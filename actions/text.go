package actions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// redactJSON returns the JSON of v without its secrets.
func redactJSON(ctx context.Context, hide redact.Func, tenant string, v any) (json.RawMessage, error) {
	raw, err := marshal(v)
	if err != nil {
		return nil, err
	}
	clean, _, err := hide(ctx, tenant, string(raw))
	if err != nil {
		return nil, err
	}
	if !json.Valid([]byte(clean)) {
		return nil, fmt.Errorf("redaction made something else of JSON")
	}
	return json.RawMessage(clean), nil
}

// marshal returns the JSON of v with signs such as < as they are.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// canonical returns JSON with its keys in order and no spaces, so that one value is one text; numbers stay as they are
// written. What is not JSON stays as it is.
func canonical(raw json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return raw
	}
	out, err := marshal(v)
	if err != nil {
		return raw
	}
	return out
}

// round returns x with four decimals: what is told and compared does not hang on the last bits of a sum.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }
