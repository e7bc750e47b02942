package taint

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
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

// maxDescribed bounds the descriptions that are examined, in bytes.
const maxDescribed = 256 << 10

// Examine takes in the sentences of the tools' descriptions that name an address, an account or a file in a hidden folder, as texts that somebody
// else wrote. A description may speak of the user and to the model, and name other tools: only its values and its hidden text count.
func (p *Provenance) Examine(ctx context.Context, list []Definition) error {
	left := maxDescribed
	for _, d := range list {
		text := valued(d.Description)
		if left -= len(text); text == "" || left < 0 {
			continue
		}
		read, err := Read(ctx, text)
		if err != nil {
			return err
		}
		for i := range read.passages {
			one := &read.passages[i]
			one.aboutUser, one.toReader, one.toStarter, one.toMachine = false, false, false, false
		}
		p.memo = &memo{}
		p.take(source{action: "tools/" + d.Name, tool: d.Name, text: text, described: true, attested: true}, read)
	}
	return nil
}

// hiddenFile matches a path with a hidden folder or file in it.
var hiddenFile = language.NewPattern(`(?:^|[\s"'(=~/])[\w~/]*/?\.[a-z][\w.-]*(?:/[\w.-]+)+|~/\.\w+`)

// valued returns the sentences of a description that hold a value.
func valued(text string) string {
	var all []string
	for _, at := range sentencesOf(text, 0, len(text)) {
		if s := folded(text[at.start:at.end]); mailForm.MatchString(s) || urlForm.MatchString(s) || accountForm.MatchString(s) || hiddenFile.MatchString(s) {
			all = append(all, text[at.start:at.end])
		}
	}
	return strings.Join(all, "\n\n")
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
