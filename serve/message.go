package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// message holds the fields of a JSON-RPC message that a transport must know before the library reads it.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  mcp.MCPMethod   `json:"method"`
	Params  struct {
		Name      string          `json:"name"`      // of a tool
		URI       string          `json:"uri"`       // of a resource
		RequestID json.RawMessage `json:"requestId"` // of notifications/cancelled
	} `json:"params"`

	whole     []byte          // the message as it was sent
	rest      []byte          // all of it but arguments, for the library to read
	arguments json.RawMessage // of a tool, where they are not in rest
}

// parse reads a message. It returns the answer to one that must not reach the library: text that is not well-formed
// JSON, or not a JSON-RPC message of the shape that its method needs. The library would answer those with the names
// of Go types, or not at all.
func parse(text []byte) (message, *mcp.JSONRPCError) {
	var m message
	if refusal := tooMany(text); refusal != nil {
		return m, refusal
	}
	if err := ijson.Check(text); err != nil {
		return m, m.refusal(mcp.PARSE_ERROR, "Parse error: "+err.Error())
	}
	m.whole, m.rest = text, text
	if ijson.Valid(text) {
		m.rest, m.arguments = part(text)
	}
	err := json.Unmarshal(m.rest, &m)
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
		return m, m.refusal(mcp.PARSE_ERROR, fmt.Sprintf("Parse error: %v (byte %d)", bad, bad.Offset))
	}
	if len(m.rest) > maxRest && m.Method != mcp.MethodInitialize {
		return m, m.refusal(mcp.INVALID_REQUEST, fmt.Sprintf("a message is not larger than %d bytes, but for the arguments of a tool", maxRest))
	}
	return m, m.check(m.rest, err)
}

// isRequest reports whether the message asks for an answer.
func (m message) isRequest() bool { return len(m.ID) > 0 && string(m.ID) != "null" }

// isResponse reports whether the message answers a request of the server.
func (m message) isResponse() bool { return m.Method == "" }

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

// errorUnknownSession is the code that other servers use with 404, which tells a client to initialize again.
const errorUnknownSession = -32001

// errorMessage returns a JSON-RPC error for a message whose id is not known.
func errorMessage(code int, text string) mcp.JSONRPCError {
	return mcp.NewJSONRPCError(mcp.NewRequestId(nil), code, text, nil)
}
