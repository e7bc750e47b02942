package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// ours are the rules that redact's own detectors stand for, with fewer false alarms.
// The keyword of Vault's, s., stands in every text.
var ours = []string{"generic-api-key", "private-key", "jwt", "jwt-base64", "kubernetes-secret-yaml", "curl-auth-header",
	"vault-service-token"}

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
	if _, err := toml.Decode(vendorTable(), &t); err != nil {
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

// vendorTable is the part of gitleaks' table that is followed. It leaves out more than half: the rule of
// generic keys lists the words that a key has not.
func vendorTable() string {
	const begin = "[[rules]]\n"
	kept := strings.Split(config.DefaultConfig, begin)
	kept[0] = "" // the settings for all rules
	kept = slices.DeleteFunc(kept, func(text string) bool {
		return slices.ContainsFunc(ours, func(id string) bool { return strings.HasPrefix(text, fmt.Sprintf("id = %q\n", id)) })
	})
	return strings.Join(kept, begin)
}
