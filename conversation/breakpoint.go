package conversation

import (
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// ephemeral marks the block of the Messages API that ends a prefix which is to be cached.
var ephemeral = json.RawMessage(`{"type":"ephemeral"}`)

// TextBlock returns a text as a block of the Messages API. If ends is set, it ends a prefix that is to be cached.
func TextBlock(text string, ends bool) (json.RawMessage, error) {
	b := anthropicOut{Type: "text", Text: text}
	if ends {
		b.Cache = ephemeral
	}
	return ijson.Compact(b)
}

// EndBlock marks a block of the Messages API as the end of a prefix that is to be cached. A value that is no object stays as it is.
func EndBlock(raw json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	fields["cache_control"] = ephemeral
	with, err := ijson.Compact(fields)
	if err != nil {
		return raw
	}
	return with
}

// EndMessage marks the last text of a message of chat completions as the end of a prefix that is to be cached. ok is false for a message
// without one, which stays as it is.
func EndMessage(raw json.RawMessage) (marked json.RawMessage, ok bool) {
	var fields map[string]json.RawMessage
	read, err := DecodeEach([]json.RawMessage{raw})
	if json.Unmarshal(raw, &fields) != nil || err != nil {
		return raw, false
	}
	var parts []map[string]any
	for _, p := range read[0].Parts {
		part := map[string]any{"type": "text", "text": p.Text}
		switch {
		case p.Kind == Call:
			continue
		case p.Kind != Result && p.Raw != nil:
			part = patched(p.Raw, nil)
		}
		delete(part, "prompt_cache_breakpoint")
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return raw, false
	}
	parts[len(parts)-1]["prompt_cache_breakpoint"] = json.RawMessage(`{"mode":"explicit"}`)
	if fields["content"], err = ijson.Compact(parts); err != nil {
		return raw, false
	}
	if marked, err = ijson.Compact(fields); err != nil {
		return raw, false
	}
	return marked, true
}
