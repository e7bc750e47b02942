package gateway

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/serve"
)

// cacheable are the methods whose results say how long they may be kept, in the revision without sessions.
var cacheable = []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"}

// completed returns a reply with the members that the revision without sessions requires of every result, where the server, which may speak an
// older one, has not given them: the result is complete, and may be kept by nobody.
func completed(method string, reply serve.Reply) serve.Reply {
	var has map[string]json.RawMessage
	if reply.Error != nil || reply.Result != nil && json.Unmarshal(reply.Result, &has) != nil {
		return reply
	}
	var b bytes.Buffer
	add := func(name, value string) {
		if has[name] == nil {
			b.WriteString(`"` + name + `":` + value + `,`)
		}
	}
	add("resultType", `"complete"`)
	if slices.Contains(cacheable, method) {
		add("ttlMs", "0")
		add("cacheScope", `"private"`)
	}
	if b.Len() == 0 {
		return reply
	}
	if len(has) == 0 {
		b.Truncate(b.Len() - 1)
		reply.Result = json.RawMessage("{" + b.String() + "}")
		return reply
	}
	rest := bytes.TrimPrefix(bytes.TrimSpace(reply.Result), []byte("{"))
	reply.Result = slices.Concat([]byte("{"), b.Bytes(), rest)
	return reply
}
