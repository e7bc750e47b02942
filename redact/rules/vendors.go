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

// gitleaks ends its expressions with what may follow a token, and misses one before a comma, a bracket or a tag.
const (
	ending = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	wider  = "(?:[^0-9A-Za-z_+/=-]|$)"
)

// Vendors returns the table of gitleaks, some two hundred vendors.
func Vendors() ([]redact.Rule, error) {
	var t table
	if _, err := toml.Decode(config.DefaultConfig, &t); err != nil {
		return nil, fmt.Errorf("read the table of vendors: %w", err)
	}
	var list []redact.Rule
	for _, r := range t.Rules {
		if r.Path != "" || r.Regex == "" || slices.Contains(ours, r.ID) {
			continue
		}
		r.Regex = strings.ReplaceAll(r.Regex, ending, wider)
		r.Allowlists = slices.DeleteFunc(r.Allowlists, func(a allowlist) bool {
			return a.RegexTarget != "" || len(a.Paths) > 0 || len(a.Commits) > 0
		})
		made, err := r.make()
		if err != nil {
			return nil, err
		}
		made.Label = redact.VendorSecret
		list = append(list, made)
	}
	return list, nil
}
