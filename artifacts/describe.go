package artifacts

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Media types that the content tells.
const (
	JSON      = "application/json"
	JSONLines = "application/x-ndjson"
	Text      = "text/plain; charset=utf-8"
	Octets    = "application/octet-stream"
)

const maxKeys = 50 // names in SchemaKeys

// describe fills in what the content says of itself.
func describe(d Draft) ctxmcp.Artifact {
	a := ctxmcp.Artifact{
		Type: d.Type, Summary: d.Summary, MediaType: d.MediaType, SchemaKeys: []string{}, Origin: "agent://put_artifact",
		Binary: !utf8.ValidString(d.Content),
	}
	if d.Tool != "" {
		a.Origin = "tool://" + d.Tool
	}
	if d.Origin != "" {
		a.Origin = d.Origin
	}
	found := Text
	switch {
	case a.Binary:
		found = Octets
	case IsJSON(d.Content):
		found, a.SchemaKeys = JSON, keys(d.Content)
	case IsJSONLines(d.Content):
		found, a.SchemaKeys = JSONLines, keys(d.Content)
	}
	if a.Summary == "" {
		a.Summary = told(d.Content, found, a.SchemaKeys)
	}
	if a.MediaType == "" {
		a.MediaType = found
	}
	return a
}

// IsJSON reports whether text is one JSON object or array.
func IsJSON(text string) bool {
	t := strings.TrimLeft(text, " \t\r\n")
	return t != "" && (t[0] == '{' || t[0] == '[') && ijson.Valid([]byte(text))
}

// IsJSONLines reports whether text is two or more JSON objects or arrays, one a line.
func IsJSONLines(text string) bool {
	records := 0
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\r\n") // the blanks of JSON, and no others
		if line == "" {
			continue
		}
		if line[0] != '{' && line[0] != '[' || !ijson.Valid([]byte(line)) {
			return false
		}
		records++
	}
	return records > 1
}

// keys returns the members of the first object in JSON, or in JSON Lines.
func keys(text string) []string {
	list := []string{}
	d := json.NewDecoder(strings.NewReader(firstObject(text)))
	if _, err := d.Token(); err != nil { // its brace
		return list
	}
	for d.More() && len(list) < maxKeys {
		key, err := d.Token()
		if err != nil {
			return list
		}
		var passed json.RawMessage
		if err := d.Decode(&passed); err != nil {
			return list
		}
		if name, ok := key.(string); ok {
			list = append(list, name)
		}
	}
	return list
}

// firstObject returns valid JSON from its first object on. It reads no values, since a decoder would allocate each of millions.
func firstObject(text string) string {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			return text[i:]
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return ""
}
