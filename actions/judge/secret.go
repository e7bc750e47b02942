package judge

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
)

// secretPath reports whether a text names a file where secrets are kept.
func secretPath(text string) bool {
	if len(text) > 4096 {
		return false
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`()$<>|;,=@", r) }) {
		if effect.IsSecret(w) {
			return true
		}
	}
	return false
}
