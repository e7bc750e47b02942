package actions

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// redactJSON returns the JSON of v without its secrets.
func redactJSON(ctx context.Context, hide redact.Func, tenant string, v any) (json.RawMessage, error) {
	raw, err := ijson.Compact(v)
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

// sorted returns JSON with its keys in order and no spaces, so that one value is one text; numbers stay as they are written, which the
// canonical form of RFC 8785 would round. A text that is not JSON stays as it is.
func sorted(raw json.RawMessage) json.RawMessage {
	v, err := ijson.Parse(raw)
	if err != nil {
		return raw
	}
	out, err := ijson.Compact(v)
	if err != nil {
		return raw
	}
	return out
}

// digestOf returns the SHA-256 of the JSON of v, chained to the digest before.
func digestOf(before string, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // the types of this package can be marshaled
	}
	return ctxmcp.DigestRef(append([]byte(before+"\n"), raw...))
}
