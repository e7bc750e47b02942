package rules

import (
	_ "embed" // vendors.toml
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// vendorTable is the part of gitleaks' table that is followed (MIT, see NOTICE). A test compares it with the published one.
//
//go:embed vendors.toml
var vendorTable string

// gitleaks ends its expressions with the characters that may follow a token, and misses one before a comma, a bracket or a tag.
const (
	ending = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	wider  = "(?:[^0-9A-Za-z_+/=-]|$)"
)

// Vendors returns the table of gitleaks, some two hundred vendors. It compiles no expression before a text has one of
// the rule's keywords: all of them would cost every start of the server more than the rest of it. The tests check
// that they compile, since the table is part of the binary.
func Vendors() ([]redact.Rule, error) {
	var t table
	if _, err := toml.Decode(vendorTable, &t); err != nil {
		return nil, fmt.Errorf("read the table of vendors: %w", err)
	}
	var list []redact.Rule
	for _, r := range t.Rules {
		if r.Path != "" || r.Regex == "" {
			continue
		}
		r.Regex = strings.ReplaceAll(r.Regex, ending, wider)
		r.Allowlists = slices.DeleteFunc(r.Allowlists, func(a allowlist) bool { return a.RegexTarget != "" || !a.ofSecret() })
		made := r.plain()
		made.Label = redact.VendorSecret
		made.Compile = func() redact.Expression {
			compiled, err := r.compile()
			if err != nil {
				panic(err)
			}
			return compiled
		}
		list = append(list, made)
	}
	return list, nil
}
