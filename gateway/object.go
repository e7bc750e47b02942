package gateway

import (
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// with returns an object with members in the place of those that it has; nil takes one out.
func with(object json.RawMessage, members map[string]json.RawMessage) (json.RawMessage, error) {
	parts := map[string]json.RawMessage{}
	if len(object) > 0 {
		if err := json.Unmarshal(object, &parts); err != nil {
			return nil, err
		}
	}
	for name, value := range members {
		if parts[name] = value; value == nil {
			delete(parts, name)
		}
	}
	return ijson.Compact(parts)
}

// withText returns an object in which a text has been changed, if it is there.
func withText(object json.RawMessage, member string, change func(string) string) (json.RawMessage, error) {
	text := nameOf(object, member)
	if text == "" {
		return object, nil
	}
	return with(object, map[string]json.RawMessage{member: textOf(change(text))})
}

// member returns a member of an object; nil if there is none.
func member(object json.RawMessage, name string) json.RawMessage {
	var parts map[string]json.RawMessage
	if json.Unmarshal(object, &parts) != nil {
		return nil
	}
	return parts[name]
}
