package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// ours are the rules that redact's own detectors stand for, with fewer false alarms.
// The keyword of Vault's, s., stands in every text.
var ours = []string{"generic-api-key", "private-key", "jwt", "jwt-base64", "kubernetes-secret-yaml", "curl-auth-header",
	"vault-service-token"}

// TestVendorTable: the embedded table is gitleaks' own, but for the settings for all rules and the rules of ours; that is less than half, for the rule of
// generic keys lists the words that a key has not. With -update it is written anew.
func TestVendorTable(t *testing.T) {
	const begin = "[[rules]]\n"
	kept := strings.Split(config.DefaultConfig, begin)
	kept[0] = ""
	kept = slices.DeleteFunc(kept, func(text string) bool {
		return slices.ContainsFunc(ours, func(id string) bool { return strings.HasPrefix(text, fmt.Sprintf("id = %q\n", id)) })
	})
	golden.Want(t, "vendors.toml", strings.Join(kept, begin))
}
