package ctxmcp

import "strings"

// Sentence is a form of the sentences that a package adds to the texts of models and people. Words in braces are filled in. A package keeps its
// sentences in one table: a test reads the answers of the package by it, and checks each sentence against its source.
type Sentence string

// With returns the sentence with its braces filled in, in their order.
func (s Sentence) With(values ...string) string {
	var b strings.Builder
	rest := string(s)
	for _, v := range values {
		before, behind, _ := strings.Cut(rest, "{")
		_, behind, _ = strings.Cut(behind, "}")
		b.WriteString(before + v)
		rest = behind
	}
	return b.String() + rest
}
