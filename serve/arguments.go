package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// maxRest is the size, in bytes, that a message may have without the arguments of a tool: nothing else in one is content.
const maxRest = 256 << 10

// part parts a message into the arguments of a tool and the rest, which has {} in their place. The library decodes a message a dozen
// times, without looking whether anybody waits; arguments it needs not know. A message that is small, or is no call of a tool, or
// names its arguments twice, is all rest. text is well-formed JSON.
func part(text []byte) (rest []byte, arguments json.RawMessage) {
	if len(text) <= lightMessage {
		return text, nil
	}
	method, _ := only(text, "method")
	params, _ := only(text, "params")
	found, ok := only(params, "arguments")
	if !ok || string(method) != `"`+string(mcp.MethodToolsCall)+`"` {
		return text, nil
	}
	at := cap(text) - cap(found) // it is a part of text
	return slices.Concat(text[:at], []byte("{}"), text[at+len(found):]), json.RawMessage(found)
}

// only returns the member of an object that encoding/json reads under a name, if there is one and no more.
func only(object []byte, name string) (value []byte, ok bool) {
	times := 0
	for quoted, v := range ijson.Members(object) {
		if n, err := ijson.Unquote(quoted); err == nil && bytes.EqualFold([]byte(n), []byte(name)) {
			value = v
			times++
		}
	}
	return value, times == 1
}

type argumentsKey struct{}

// withArguments has the tool that a message calls find its arguments, if they are not in the rest of the message.
func withArguments(ctx context.Context, m message) context.Context {
	if m.arguments == nil {
		return ctx
	}
	return context.WithValue(ctx, argumentsKey{}, m.arguments)
}

// rejoin is tool middleware that gives a call its arguments back.
func rejoin(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if arguments, parted := ctx.Value(argumentsKey{}).(json.RawMessage); parted {
			request.Params.Arguments, request.Params.RawArguments = arguments, arguments
		}
		return next(ctx, request)
	}
}
