package config

import (
	"strings"
	"testing"
)

// TestSignInSettings: a client that could sign nobody in, or whose identities could be taken for access tokens, is refused.
func TestSignInSettings(t *testing.T) {
	for _, tt := range []struct{ more, says string }{
		{"    signin_client_id: pages", ""},
		{"    signin_client_id: https://ctx.example.org/mcp", "audience of access tokens"},
		{"    audience: pages\n    signin_client_id: pages", "audience of access tokens"},
		{"    signin_client_id: pages\n    signin_scopes: profile", "lacks openid"},
		{"    signin_client_secret: x", "signin_client_secret without"},
	} {
		c := fileWith(t, "http:\n  public_url: https://ctx.example.org\nauth:\n  oauth:\n    issuer: https://login.example.org\n"+tt.more+"\n")
		err := c.Load(environment(nil), noFlags)
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.more, err, tt.says)
		}
	}
	c := fileWith(t, "auth:\n  oauth:\n    signin_client_id: pages\n")
	if err := c.Load(environment(nil), noFlags); err == nil || !strings.Contains(err.Error(), "auth.oauth.issuer") {
		t.Errorf("a client without an issuer: %v", err)
	}
}
