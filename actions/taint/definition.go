package taint

import (
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
)

// Definition describes a tool to the host, as MCP lists it.
type Definition struct {
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	Annotations Annotations `json:"annotations,omitzero"`
}

// Annotations are the hints of MCP. They come from whoever wrote the tool.
type Annotations struct {
	ReadOnly    *bool `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	OpenWorld   *bool `json:"openWorldHint,omitempty"`
}

// Definitions reads tools as tools/list has them, and passes over other members of a definition. It returns CodeInvalid for
// one without a name.
func Definitions(list []json.RawMessage) ([]Definition, error) {
	var all []Definition
	for i, raw := range list {
		var d Definition
		if err := json.Unmarshal(raw, &d); err != nil || d.Name == "" {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "tools[%d] is not the definition of a tool", i).
				WithHint("give objects as in tools/list, each with a name")
		}
		all = append(all, d)
	}
	return all, nil
}
