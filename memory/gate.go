package memory

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// gate is the write gate: a coarse sieve that keeps fragments, raw logs and symbol soup out of memory. It returns the
// reason for which a draft is turned away, with its remedy, or "".
//
// The floors and the kinds of raw text are for what an agent says of its own accord, and for what tools put out. The words of a
// person and a statement of a document may be anything; a claim may be short, and so may a sentence that names its subject.
func (o Options) gate(d Draft) string {
	content := strings.TrimSpace(d.Content)
	length := utf8.RuneCountInString(content)
	if length > o.MaxLength {
		return fmt.Sprintf("content has %d characters, over the %d of a memory: remember the conclusion, not the "+
			"whole text", length, o.MaxLength)
	}
	if d.kind() != ctxmcp.Inference && d.kind() != ctxmcp.ToolOutput {
		return ""
	}
	if raw := rawOf(content); raw != nil {
		return "content is " + raw.name + ", and no memory: " + raw.remedy
	}
	if !d.Claim.IsZero() {
		return ""
	}
	if length < o.MinLength && !change.StatesOfSubject(content) {
		return fmt.Sprintf("content has %d characters, under the %d of a memory: say it in a full sentence "+
			"that will be understood on its own, or give a claim", length, o.MinLength)
	}
	if share := letters(content); share < *o.MinLetters {
		return fmt.Sprintf("only %.0f %% of content are letters, under the %.0f %% of a memory: write down what the data "+
			"means instead of the data", share*100, *o.MinLetters*100)
	}
	return ""
}

// letters returns the share of letters among the characters.
func letters(text string) float64 {
	all, found := 0, 0
	for _, r := range text {
		all++
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			found++
		}
	}
	return float64(found) / float64(max(all, 1))
}
