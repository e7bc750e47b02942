package connect

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/ctx-mcp/ctx-mcp"
)

// tomlFile is TOML. An entry is a table of its own, [at.name], with the tables below it.
type tomlFile struct{}

func (tomlFile) read(text string) (map[string]any, error) {
	out := map[string]any{}
	if _, err := toml.Decode(text, &out); err != nil {
		if e, ok := errors.AsType[toml.ParseError](err); ok {
			return nil, broken(e.Position.Line, e.Position.Col, e.Message)
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

func (tomlFile) begin() string { return "" }

func (tomlFile) show(e edit) string {
	fields, _ := fieldsOf(e.want)
	var b strings.Builder
	writeTable(&b, append(slices.Clone(e.at), e.name), fields)
	return b.String()
}

// writeTable writes a table, and then the tables in it.
func writeTable(b *strings.Builder, name []string, fields Fields) {
	b.WriteString("[" + tomlName(name) + "]\n")
	var inner Fields
	for _, f := range fields {
		if _, table := fieldsOf(f.Value); table {
			inner = append(inner, f)
			continue
		}
		b.WriteString(tomlName([]string{f.Name}) + " = " + oneLine(f.Value) + "\n")
	}
	for _, f := range inner {
		b.WriteString("\n")
		table, _ := fieldsOf(f.Value)
		writeTable(b, append(slices.Clone(name), f.Name), table)
	}
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func tomlName(parts []string) string {
	parts = slices.Clone(parts)
	for i, p := range parts {
		if !bareKey.MatchString(p) {
			parts[i] = oneLine(p)
		}
	}
	return strings.Join(parts, ".")
}

func (f tomlFile) apply(text string, e edit) (string, error) {
	place, there := tableSpan(text, append(slices.Clone(e.at), e.name))
	switch {
	case there && e.want == nil:
		return joined(text[:place.from], "", text[place.to:]), nil
	case there:
		return joined(text[:place.from], f.show(e), text[place.to:]), nil
	case e.want == nil:
		return "", ctxmcp.Errorf(ctxmcp.CodeConflict, "%s is no table of its own", tomlName(append(slices.Clone(e.at), e.name))).
			WithHint("take it out by hand")
	}
	values, err := f.read(text)
	if err != nil {
		return "", err
	}
	if _, some := tableSpan(text, e.at); !some && values[e.at[0]] != nil { // the parser lets an inline table be extended, TOML does not
		return "", ctxmcp.Errorf(ctxmcp.CodeConflict, "%s is written inline", tomlName(e.at)).WithHint("write it as tables, [%s.NAME]", tomlName(e.at))
	}
	return joined(text, f.show(e), ""), nil
}

// joined puts three parts together, with one empty line between those that are there.
func joined(before, own, after string) string {
	out := ""
	for _, part := range []string{strings.TrimRight(before, " \t\n"), strings.Trim(own, "\n"), strings.TrimLeft(after, "\n")} {
		switch {
		case part == "":
		case out == "":
			out = part
		default:
			out += "\n\n" + part
		}
	}
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out
}

var tableHeader = regexp.MustCompile(`^\s*\[\[?[^\[\]#]+\]\]?\s*(#.*)?$`)

// tableSpan returns where a table stands with the tables below it: from its header to the next header of another one, without the comments
// right before that. Lines inside of strings are no headers.
func tableSpan(text string, name []string) (place span, there bool) {
	at, comment, inString := 0, -1, ""
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		bare := strings.TrimSpace(line)
		if inString == "" && tableHeader.MatchString(strings.TrimRight(line, "\n")) {
			own := isTable(bare, name)
			switch {
			case own && !there:
				place, there = span{start, len(text)}, true
			case !own && there:
				place.to = start
				if comment >= 0 {
					place.to = comment
				}
				return place, true
			}
		}
		if strings.HasPrefix(bare, "#") && inString == "" {
			if comment < 0 {
				comment = start
			}
		} else {
			comment = -1
		}
		inString = stringAfter(line, inString)
	}
	return place, there
}

// isTable reports whether a header is of the table, or of one below it.
func isTable(header string, name []string) bool {
	var out map[string]any
	if _, err := toml.Decode(header+"\n", &out); err != nil {
		return false
	}
	for _, part := range name {
		inner, ok := out[part].(map[string]any)
		if !ok {
			return false
		}
		out = inner
	}
	return true
}

// stringAfter returns the quotes of the string of several lines in which a line ends, "" if it ends in none.
func stringAfter(line, in string) string {
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case in == `"""` && rest[0] == '\\':
			i += 2
		case in != "" && strings.HasPrefix(rest, in):
			in, i = "", i+len(in)
		case in != "":
			i++
		case rest[0] == '#':
			return ""
		case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
			in, i = rest[:3], i+3
		case rest[0] == '"', rest[0] == '\'':
			i += closing(rest)
		default:
			i++
		}
	}
	return in
}

// closing returns the length of a string of one line that begins the text.
func closing(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[0] == '"' && text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return len(text)
}
