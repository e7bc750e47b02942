package keyring

import (
	"crypto/ed25519"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

func ring(t *testing.T) *Ring {
	return &Ring{Dir: filepath.Join(t.TempDir(), "keys"), Random: rand.NewChaCha8([32]byte{7})}
}

func idOf(key ed25519.PrivateKey) string { return receipts.KeyID(key.Public().(ed25519.PublicKey)) }

// TestFirstKey: it is made once; after that it is found, and a lost one is not replaced.
func TestFirstKey(t *testing.T) {
	r := ring(t)
	first, err := r.First(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.First(t.Context()); err != nil || !again.Equal(first) {
		t.Errorf("First gives another key the second time: %v", err)
	}
	if got, err := r.Private(t.Context(), idOf(first)); err != nil || !got.Equal(first) {
		t.Errorf("Private = %v, want the same key", err)
	}
	if err := os.Remove(r.path(idOf(first), ".key")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.First(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("First without the private half = %v, want unavailable", err)
	}
	if _, err := r.Private(t.Context(), "sha256:../../../etc/passwd"); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Private of a path = %v, want unavailable", err)
	}
}

// TestRetire: public halves stay, private ones but one go.
func TestRetire(t *testing.T) {
	r := ring(t)
	var keys []ed25519.PrivateKey
	for range 3 {
		key, err := r.Fresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	if err := r.Retire(t.Context(), idOf(keys[1])); err != nil {
		t.Fatal(err)
	}
	all, err := r.List()
	if err != nil || len(all) != 3 {
		t.Fatalf("List = %v, %v, want three", all, err)
	}
	for _, k := range all {
		if k.Private != (k.ID == idOf(keys[1])) {
			t.Errorf("the private half of %s is here: %t", k.ID, k.Private)
		}
		if got, err := r.Public(t.Context(), k.ID); err != nil || !got.Equal(k.Key) {
			t.Errorf("Public(%s) = %v", k.ID, err)
		}
	}
}

// TestKeysWithoutPlaceOrChance: where nothing can be written, or nothing drawn, there is no key, and none that counts as lost.
func TestKeysWithoutPlaceOrChance(t *testing.T) {
	r := ring(t)
	r.Random = failing{}
	if _, err := r.First(t.Context()); err == nil {
		t.Error("a key is made without randomness")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	blocked := &Ring{Dir: filepath.Join(file, "keys"), Random: ring(t).Random}
	if _, err := blocked.Fresh(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Fresh in a file = %v, want unavailable", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("no randomness") }

var _ io.Reader = failing{}

// TestHeadFile: the last head is kept whole, and none is none.
func TestHeadFile(t *testing.T) {
	f := HeadFile(filepath.Join(t.TempDir(), "receipts", "head"))
	if got, err := f.Last(); got != nil || err != nil {
		t.Errorf("Last of nothing = %q, %v", got, err)
	}
	for _, head := range []string{"a longer head\n", "short\n"} {
		if err := f.Keep([]byte(head)); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Last(); string(got) != head || err != nil {
			t.Errorf("Last = %q, %v, want %q", got, err, head)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(string(f)), "*")); err != nil || len(left) != 1 {
		t.Errorf("beside the head there are %v, %v", left, err)
	}
}
