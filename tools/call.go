package tools

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// offered is All, made once.
var offered = sync.OnceValue(All)

// Call carries out a tool for a program of this process, as a client's call would be, and returns the text and the structure of its
// answer. It returns the errors of the tool.
func (s *Services) Call(ctx context.Context, name string, arguments any) (text string, structure json.RawMessage, err error) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return "", nil, err
	}
	for _, t := range offered() {
		if t.Name != name {
			continue
		}
		var request mcp.CallToolRequest
		request.Params.Name, request.Params.RawArguments = name, raw
		out, err := s.answer(ctx, t, request)
		if err != nil {
			return "", nil, err
		}
		if structure, err = ijson.Compact(out); err != nil {
			return "", nil, err
		}
		text, err = inLines(out, structure)
		return text, structure, err
	}
	return "", nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no tool %s", name)
}
