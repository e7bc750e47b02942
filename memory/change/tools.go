package change

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// toolKinds finds the names of tools of software work, as they are written in lower case, by their kinds.
var toolKinds = sync.OnceValue(func() *phrases {
	return newPhrases(language.SoftwareKinds, func(w string) string { return w })
})

// kindsOfTools returns the kinds of the tools that the statement names: of two test runners one mostly takes the place of the other. The names count with
// a capital: many are words of another meaning, too.
func (r *Reading) kindsOfTools() (kinds []string) {
	words := make([]string, len(r.tokens))
	for i, t := range r.tokens {
		words[i] = t.lower
	}
	for _, h := range toolKinds().find(words) {
		capital := slices.ContainsFunc(r.tokens[h.from:h.to], func(t token) bool { return t.text != t.lower })
		if capital {
			kinds = add(kinds, toolMark+h.row)
		}
	}
	return kinds
}

// isToolKind reports whether a matter is a kind of tools.
func isToolKind(matter string) bool { return strings.HasPrefix(matter, toolMark) }

// toolMark begins the name of a matter that is a kind of tools.
const toolMark = "tool: "
