package policy

import (
	_ "embed"

	"github.com/ctx-mcp/ctx-mcp"
)

// Preset is one of the policies that come with the product.
type Preset struct {
	Name    string
	Doc     string
	Text    string
	Default ctxmcp.Verdict
}

//go:embed preset/observe.cedar
var observe string

//go:embed preset/balanced.cedar
var balanced string

//go:embed preset/strict.cedar
var strict string

// Presets lists them, from the most permissive. Balanced is the default: it is meant for a desktop, where a person is near.
func Presets() []Preset {
	return []Preset{
		{"observe", "everything is allowed, and recorded", observe, ctxmcp.Allow},
		{"balanced", "what is dangerous and what the user did not say is put to a person, or denied; the rest is allowed", balanced, ctxmcp.Allow},
		{"strict", "what is not clearly part of the request is put to a person, or denied", strict, ctxmcp.Deny},
	}
}

// Load returns the preset's rules, with its own default if fallback is empty.
func (p Preset) Load(fallback ctxmcp.Verdict) (*Set, error) {
	if fallback == "" {
		fallback = p.Default
	}
	return Load(p.Name+".cedar", p.Text, fallback)
}
