package seal

import (
	"bytes"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/ctx-mcp/ctx-mcp"
)

func sealer(t *testing.T) *Sealer {
	t.Helper()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	s, err := New("# created: today\n" + identity.String() + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRoundTrip: a sealed content shows nothing, and opens with its own key only.
func TestRoundTrip(t *testing.T) {
	s, content := sealer(t), bytes.Repeat([]byte("the original "), 10_000)
	sealed, err := s.Seal(content)
	if err != nil || bytes.Contains(sealed, []byte("original")) {
		t.Fatalf("Seal shows the content, or fails: %v", err)
	}
	if got, err := s.Unseal(sealed); err != nil || !bytes.Equal(got, content) {
		t.Errorf("Unseal = %d bytes, %v, want %d", len(got), err, len(content))
	}
	if _, err := sealer(t).Unseal(sealed); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Unseal with another key = %v, want unavailable", err)
	}
	sealed[len(sealed)/2] ^= 1
	if _, err := s.Unseal(sealed); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Unseal of damaged bytes = %v, want unavailable", err)
	}
}

// TestKeyIsNotQuoted: an error about a key does not show it.
func TestKeyIsNotQuoted(t *testing.T) {
	for _, key := range []string{"", "AGE-SECRET-KEY-1QQQQ", "# only a comment"} {
		_, err := New(key)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || strings.Contains(err.Error(), "QQQQ") {
			t.Errorf("New = %v, want invalid without the key", err)
		}
	}
}
