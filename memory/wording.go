package memory

import (
	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/analysis"
)

// saysAll reports whether the words of a, with those of its claim, hold every word of b that carries meaning: nothing is
// lost from recall if a stands for both. It compares terms, so that "deploys on Friday" says all of "we deploy: Friday".
//
// It is stricter than a similarity: texts that differ in one word, such as a name or a number, may differ in all that
// matters.
func saysAll(a, b ctxmcp.ContextObject) bool {
	held := map[string]bool{}
	for _, text := range []string{a.Content, a.Claim.String()} {
		for _, t := range analysis.Terms(text) {
			held[t] = true
		}
	}
	for _, t := range analysis.Query(b.Content) {
		if !held[t] && !discourse[t] {
			return false
		}
	}
	return true
}

// discourse holds the terms of words that say that something is said again, or holds now: they add nothing to a claim
// that is held.
var discourse = func() map[string]bool {
	set := map[string]bool{}
	for _, t := range analysis.Terms(`still now currently again already always indeed really actually yes also just please note
		remember remind say tell mention confirm today presently remain continue unchanged same as before`) {
		set[t] = true
	}
	return set
}()
