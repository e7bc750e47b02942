package serve

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// check returns the answer to a message of a shape that its method does not take, else nil. text is well-formed JSON, and
// failed is the error of decoding it into m. Of a field that is given twice, the last counts, as it does for the library.
func (m message) check(text []byte, failed error) *mcp.JSONRPCError {
	var raw struct {
		Method, Params, Result, Error json.RawMessage
	}
	_ = json.Unmarshal(text, &raw) // only a text that is no object fails, and the first case is for that
	switch kind(text) {
	case '{':
	case '[':
		return m.refusal(mcp.INVALID_REQUEST, "batches are not supported: send one message at a time")
	default:
		return m.refusal(mcp.INVALID_REQUEST, "a message is a JSON object")
	}
	noMethod := kind(raw.Method) == 0 || kind(raw.Method) == 'n'
	response := noMethod && len(raw.Result)+len(raw.Error) > 0
	switch params := kind(raw.Params); {
	case m.JSONRPC != mcp.JSONRPC_VERSION:
		return m.refusal(mcp.INVALID_REQUEST, `jsonrpc must be "2.0"`)
	case m.isRequest() && !m.hasID():
		return m.refusal(mcp.INVALID_REQUEST, "id must be a string or a number")
	case response:
		return nil
	case kind(raw.Method) != '"':
		return m.refusal(mcp.INVALID_REQUEST, "method must be a string")
	case m.Method == "":
		return m.refusal(mcp.INVALID_REQUEST, "method must not be empty")
	case len(m.Method) > maxName || len(m.Params.Name) > maxName || len(m.Params.URI) > maxURI:
		return m.refusal(mcp.INVALID_PARAMS, "the message names a method, a tool or a resource that is longer than any here")
	case params != 0 && params != 'n' && params != '{':
		return m.refusal(mcp.INVALID_PARAMS, "params must be an object")
	}
	if bad, ok := errors.AsType[*json.UnmarshalTypeError](failed); ok && !strings.HasPrefix(bad.Field, "params") {
		return m.refusal(mcp.INVALID_REQUEST, "a field of the message is given twice, once with the wrong type")
	}
	return m.checkParams(text, raw.Params)
}

// The bounds of names, in bytes. The library quotes a name that it does not find, and none that exists is longer.
const (
	maxName = 256
	maxURI  = 4096
)

// checkParams checks the params by decoding them as the library will. The arguments of a tool are left to the tool.
func (m message) checkParams(text, params []byte) *mcp.JSONRPCError {
	if m.Method == mcp.MethodToolsCall {
		var call struct{ Name json.RawMessage }
		if len(params) > 0 {
			_ = json.Unmarshal(params, &call)
		}
		if kind(call.Name) != '"' {
			return m.refusal(mcp.INVALID_PARAMS, "params.name must be a string")
		}
	}
	into := any(&mcp.JSONRPCNotification{})
	if m.isRequest() {
		decoded, known := requests[m.Method]
		if !known {
			return nil
		}
		into = decoded()
	}
	if json.Unmarshal(text, into) != nil {
		return m.refusal(mcp.INVALID_PARAMS, "the params of "+string(m.Method)+" have a field of the wrong type")
	}
	return nil
}

// toolCallShape is mcp.CallToolRequest without the arguments, which may be large.
type toolCallShape struct {
	Params struct {
		Name string          `json:"name"`
		Meta *mcp.Meta       `json:"_meta"`
		Task *mcp.TaskParams `json:"task"`
		mcp.MultiRoundTripParams
	} `json:"params"`
}

// requests make the values that the library decodes requests into.
var requests = map[mcp.MCPMethod]func() any{
	mcp.MethodInitialize:             fresh[mcp.InitializeRequest],
	mcp.MethodPing:                   fresh[mcp.PingRequest],
	mcp.MethodServerDiscover:         fresh[mcp.DiscoverRequest],
	mcp.MethodSubscriptionsListen:    fresh[mcp.SubscriptionsListenRequest],
	mcp.MethodSetLogLevel:            fresh[mcp.SetLevelRequest],
	mcp.MethodResourcesList:          fresh[mcp.ListResourcesRequest],
	mcp.MethodResourcesTemplatesList: fresh[mcp.ListResourceTemplatesRequest],
	mcp.MethodResourcesRead:          fresh[mcp.ReadResourceRequest],
	mcp.MethodResourcesSubscribe:     fresh[mcp.SubscribeRequest],
	mcp.MethodResourcesUnsubscribe:   fresh[mcp.UnsubscribeRequest],
	mcp.MethodPromptsList:            fresh[mcp.ListPromptsRequest],
	mcp.MethodPromptsGet:             fresh[mcp.GetPromptRequest],
	mcp.MethodToolsList:              fresh[mcp.ListToolsRequest],
	mcp.MethodToolsCall:              fresh[toolCallShape],
	mcp.MethodTasksGet:               fresh[mcp.GetTaskRequest],
	mcp.MethodTasksList:              fresh[mcp.ListTasksRequest],
	mcp.MethodTasksResult:            fresh[mcp.TaskResultRequest],
	mcp.MethodTasksCancel:            fresh[mcp.CancelTaskRequest],
	mcp.MethodCompletionComplete:     fresh[mcp.CompleteRequest],
}

func fresh[T any]() any { return new(T) }

// refusal answers the message with an error. The id is null unless it is one that a request may have.
func (m message) refusal(code int, text string) *mcp.JSONRPCError {
	e := errorMessage(code, text)
	if m.hasID() {
		e.ID = mcp.NewRequestId(m.ID)
	}
	return &e
}

// hasID reports whether the id is a string or a number.
func (m message) hasID() bool {
	k := kind(m.ID)
	return k == '"' || k == '-' || '0' <= k && k <= '9'
}

// kind returns the first byte of a JSON value, which tells its type: 'n' for null, 0 for no value.
func kind(value []byte) byte {
	for _, b := range value {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b
		}
	}
	return 0
}
