package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Canonical returns the one name of a call that rules refer to, whatever form it came in: in lower case, the server and the tool, as in
// shop and refund. A tool without a server has no second part, unless the operation says which of several things it does.
//
// These are one: shop with the operation Refund; shop.refund, shop/refund and mcp__shop__refund with any operation that says no more.
func Canonical(tool, operation string) (server, name string) {
	parts := nameParts(tool)
	if op := nameParts(operation); !idleOperation(op, parts) {
		parts = append(parts, op...)
	}
	if len(parts) < 2 {
		return strings.Join(parts, ""), ""
	}
	return strings.Join(parts[:len(parts)-1], "."), parts[len(parts)-1]
}

var separators = strings.NewReplacer("__", ".", "/", ".", ":", ".")

// nameParts splits a name where servers and tools are put together.
func nameParts(name string) []string {
	parts := strings.FieldsFunc(separators.Replace(strings.ToLower(strings.TrimSpace(name))), func(r rune) bool { return r == '.' })
	if len(parts) > 1 && parts[0] == "mcp" {
		parts = parts[1:]
	}
	return parts
}

// idleOperation reports whether an operation says no more than the tool does.
func idleOperation(op, tool []string) bool {
	if len(op) == 0 || slices.Equal(op, tool) || len(op) < len(tool) && slices.Equal(op, tool[len(tool)-len(op):]) {
		return true
	}
	word := strings.Join(op, " ")
	return language.IdleOperations.Has(word) || language.ToolWords.Has(word)
}
