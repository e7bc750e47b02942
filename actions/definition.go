package actions

// Definition is what the host knows of a tool, as MCP lists it.
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
