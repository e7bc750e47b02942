package memory

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
)

// gate is the write gate: a coarse sieve that keeps fragments, raw logs and symbol soup out of memory. It returns the
// reason for which a draft is turned away, with its remedy, or "".
//
// The floor on length is for an agent's own words. The words of a person, a statement of a document and a claim may be short.
func (o Options) gate(d Draft) string {
	content := strings.TrimSpace(d.Content)
	length := utf8.RuneCountInString(content)
	if length > o.MaxLength {
		return fmt.Sprintf("content has %d characters, over the %d of a memory: remember the conclusion, not the "+
			"whole text", length, o.MaxLength)
	}
	own := d.kind() == ctxmcp.Inference || d.kind() == ctxmcp.ToolOutput
	if own && d.Claim.IsZero() && length < o.MinLength {
		return fmt.Sprintf("content has %d characters, under the %d of a memory: say it in a full sentence "+
			"that will be understood on its own, or give a claim", length, o.MinLength)
	}
	if share := letters(content); own && share < *o.MinLetters {
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
