package language

import "strings"

// ToolName splits the name of a tool at the last sign that stands between a server and its tool, as in mail.list, mail/list and mcp__mail__list.
// The name of a server says nothing of what the tool does: a tool of a server called mail need not send any. server is empty where there is none.
func ToolName(name string) (server, tool string) {
	at, width := -1, 0
	for _, sign := range []string{"__", "/", ":", "."} {
		if i := strings.LastIndex(name, sign); i > at {
			at, width = i, len(sign)
		}
	}
	if at <= 0 || at+width >= len(name) {
		return "", name
	}
	return name[:at], name[at+width:]
}
