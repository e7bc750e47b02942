package ctxmcp_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestDigest compares with the vectors of FIPS 180-4.
func TestDigest(t *testing.T) {
	for text, want := range map[string]string{
		"":    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	} {
		if got := ctxmcp.Digest([]byte(text)); got != want {
			t.Errorf("Digest(%q) = %s, want %s", text, got, want)
		}
		if got := ctxmcp.DigestRef(text); got != "sha256:"+want {
			t.Errorf("DigestRef(%q) = %s, want sha256:%s", text, got, want)
		}
	}
}
