package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
)

// message is what a transport must know of a JSON-RPC message before the library reads it.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method mcp.MCPMethod   `json:"method"`
	Params struct {
		Name      string          `json:"name"`      // of a tool
		RequestID json.RawMessage `json:"requestId"` // of notifications/cancelled
	} `json:"params"`
}

// parse reads a message. It returns an error for text that is not well-formed JSON; a field of the wrong type is left to
// the library, which answers with the request's id.
func parse(text []byte) (message, error) {
	var m message
	if err := wellFormed(text); err != nil {
		return m, err
	}
	err := json.Unmarshal(text, &m)
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
		return m, fmt.Errorf("%w (byte %d)", bad, bad.Offset)
	}
	return m, nil
}

// isRequest reports whether the message asks for an answer.
func (m message) isRequest() bool { return len(m.ID) > 0 && string(m.ID) != "null" }

// cancels reports whether the message is notifications/cancelled.
func (m message) cancels() bool {
	return m.Method == mcp.MethodNotificationCancelled && !m.isRequest()
}

// listens reports whether the message opens a stream that ends only when one side closes it.
func (m message) listens() bool { return m.Method == mcp.MethodSubscriptionsListen }

// modern reports whether a POST is of the stateless era. The library decides in the same way: one of header and body is
// enough.
func modern(header http.Header, body []byte) bool {
	var m struct {
		Params struct {
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	if mcp.IsModernProtocol(header.Get(mcp.HeaderProtocolVersion)) {
		return true
	}
	return json.Unmarshal(body, &m) == nil && mcp.IsModernProtocol(m.Params.Meta.ProtocolVersion())
}

// serverError is the JSON-RPC code of a refusal that is not about the message itself.
const serverError = -32000

// errorMessage returns a JSON-RPC error for a message whose id is not known.
func errorMessage(code int, text string) mcp.JSONRPCError {
	return mcp.NewJSONRPCError(mcp.NewRequestId(nil), code, text, nil)
}
