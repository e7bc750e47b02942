package connect

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/ctx-mcp/ctx-mcp"
)

// yamlFile is YAML, in which the entry is an element of a list at the top level.
type yamlFile struct {
	head string // a new file begins with this
}

func (yamlFile) read(text string) (map[string]any, error) {
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		if e, ok := errors.AsType[yaml.Error](err); ok && e.GetToken() != nil {
			at := e.GetToken().Position
			return nil, broken(at.Line, at.Column, e.GetMessage())
		}
		return nil, broken(1, 1, err.Error())
	}
	normal, err := json.Marshal(out)
	if err != nil {
		return nil, broken(1, 1, "the file holds a value that JSON has not: "+err.Error())
	}
	out = map[string]any{}
	return out, json.Unmarshal(normal, &out)
}

func (f yamlFile) begin() string { return f.head }

func (yamlFile) show(e edit) string {
	return e.at[0] + ":\n" + yamlItem(e.want, "  ")
}

// yamlItem returns an entry as an element of a list that is indented by indent.
func yamlItem(v any, indent string) string {
	fields, _ := fieldsOf(v)
	lines := yamlLines(fields, indent+"  ")
	return indent + "- " + strings.TrimLeft(lines, " ")
}

func yamlLines(fields Fields, indent string) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(indent + yamlWord(f.Name) + ":")
		if inner, ok := fieldsOf(f.Value); ok && len(inner) > 0 {
			b.WriteString("\n" + yamlLines(inner, indent+"  "))
			continue
		}
		if s, ok := f.Value.(string); ok {
			b.WriteString(" " + yamlWord(s) + "\n")
			continue
		}
		b.WriteString(" " + oneLine(f.Value) + "\n")
	}
	return b.String()
}

var plainWord = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)

// yamlWord returns a string as it stands where YAML reads it so, else between quotes.
func yamlWord(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		return oneLine(s)
	}
	if plainWord.MatchString(s) {
		return s
	}
	return oneLine(s)
}

func (f yamlFile) apply(text string, e edit) (string, error) {
	list, line, err := f.list(text, e.at[0])
	switch {
	case err != nil:
		return "", err
	case line == 0:
		return ended(text) + f.show(e), nil
	case list == nil || list.IsFlowStyle && len(list.Values) == 0:
		return text[:lineOf(text, line)] + f.show(e) + text[lineOf(text, line+1):], nil
	case list.IsFlowStyle:
		return "", ctxmcp.Errorf(ctxmcp.CodeConflict, "%s is a list in brackets", e.at[0]).WithHint("write it with one - for each server")
	}
	indent := strings.Repeat(" ", list.Start.Position.Column-1)
	n := slices.IndexFunc(list.Values, func(item ast.Node) bool { return e.isMine(decoded(item)) })
	end := listEnd(text, lineOf(text, list.Start.Position.Line), len(indent))
	if n < 0 {
		return ended(text[:end]) + yamlItem(e.want, indent) + text[end:], nil
	}
	from := itemStart(text, indent, list.Values[n])
	to := end
	if n+1 < len(list.Values) {
		to = itemStart(text, indent, list.Values[n+1])
	}
	if e.want == nil {
		return text[:from] + text[to:], nil
	}
	return text[:from] + yamlItem(e.want, indent) + text[to:], nil
}

// ended returns a text that ends with a line break, or is empty.
func ended(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return text + "\n"
	}
	return text
}

// list returns the list with the name, nil if its value is left out, and the line of the name, 0 if there is none.
func (yamlFile) list(text, name string) (list *ast.SequenceNode, line int, err error) {
	file, err := parser.ParseBytes([]byte(text), parser.ParseComments)
	if err != nil || len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, 0, err
	}
	if len(file.Docs) > 1 {
		return nil, 0, ctxmcp.Errorf(ctxmcp.CodeConflict, "the file holds several documents").WithHint("edit it by hand; ctx-mcp config prints the entry")
	}
	var pairs []*ast.MappingValueNode
	switch body := file.Docs[0].Body.(type) {
	case *ast.MappingNode:
		pairs = body.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{body}
	}
	for _, p := range pairs {
		if p.Key.GetToken().Value != name {
			continue
		}
		at := p.Key.GetToken().Position
		switch v := p.Value.(type) {
		case *ast.SequenceNode:
			return v, at.Line, nil
		case *ast.NullNode:
			return nil, at.Line, nil
		}
		return nil, 0, broken(at.Line, at.Column, name+" is no list")
	}
	return nil, 0, nil
}

func decoded(n ast.Node) any {
	var v any
	if yaml.NodeToValue(n, &v) != nil {
		return nil
	}
	return v
}

// lineOf returns the offset at which a line begins, counted from 1.
func lineOf(text string, line int) int {
	at := 0
	for range line - 1 {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	return at
}

// itemStart returns where the line with the dash of an element begins.
func itemStart(text, indent string, item ast.Node) int {
	at := lineOf(text, item.GetToken().Position.Line)
	for at > 0 && !strings.HasPrefix(text[at:], indent+"-") {
		at = strings.LastIndexByte(text[:at-1], '\n') + 1
	}
	return at
}

// listEnd returns where a list that begins at an offset ends: behind its last line that is neither empty nor a comment.
func listEnd(text string, from, indent int) int {
	end, at := from, from
	for line := range strings.Lines(text[from:]) {
		bare := strings.TrimSpace(line)
		depth := len(line) - len(strings.TrimLeft(line, " "))
		if bare != "" && !strings.HasPrefix(bare, "#") {
			if depth < indent || depth == indent && !strings.HasPrefix(bare, "-") {
				break
			}
			end = at + len(line)
		}
		at += len(line)
	}
	return end
}
