package language

import (
	"strings"
	"sync"
)

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

// ToolNameWords returns the words of the name of a tool, or of a label, those of ForeignToolNames in English.
func ToolNameWords(name string) []string {
	words := NameWords(name)
	for i, w := range words {
		if english := foreignToolNames()[w]; english != "" {
			words[i] = english
		}
	}
	return words
}

// foreignToolNames returns the English word of each word of ForeignToolNames.
var foreignToolNames = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, t := range ForeignToolNames {
		for _, r := range t.Rows() {
			for _, w := range r.Words {
				if all[w] == "" {
					all[w] = r.Head
				}
			}
		}
	}
	return all
})
