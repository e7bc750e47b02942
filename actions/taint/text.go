package taint

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// TextOf returns a result as text: a JSON string is its text, anything else the JSON itself. The content blocks of MCP are
// their texts. What JSON may escape and need not stands as it is meant: a client that escapes more hides nothing.
func TextOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var blocks struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	}
	if json.Unmarshal(raw, &blocks) != nil || len(blocks.Content) == 0 {
		return unescaped(raw)
	}
	var b bytes.Buffer
	for _, c := range blocks.Content {
		if c.Type != "text" {
			return unescaped(raw)
		}
		b.WriteString(c.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// DecodeObject returns a JSON object, or nil for anything else, and for a context that has ended. Numbers stay as they are written.
func DecodeObject(ctx context.Context, raw json.RawMessage) map[string]any {
	v, err := ijson.Decode(ctx, raw)
	if err != nil {
		return nil
	}
	o, _ := v.(map[string]any)
	return o
}

// firstObject returns the object that a text begins with, whatever follows it: who runs the call may not mind that.
func firstObject(raw json.RawMessage) map[string]any {
	v, err := ijson.Parse(raw)
	if err != nil {
		return nil
	}
	o, _ := v.(map[string]any)
	return o
}

// spaced returns text in lower case, with every run of white space as one space, and folded: the form in which texts are compared.
func spaced(text string) string {
	return strings.ToLower(folded(strings.Join(strings.Fields(text), " ")))
}

// Cut returns the beginning of text, at most so many bytes, ending with a whole character.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func include(list []string, one string) []string {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}
