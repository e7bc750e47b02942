package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

func key(t testing.TB) Key {
	t.Helper()
	raw := make([]byte, KeySize)
	if _, err := rand.Read(raw); err != nil {
		t.Fatal(err)
	}
	k, err := ParseKey(" " + base64.StdEncoding.EncodeToString(raw) + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func vault(t testing.TB) *Vault {
	t.Helper()
	v, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSealedOpensAtItsPlaceOnly: a sealed field shows nothing, and opens unchanged, at its place, under its key.
func TestSealedOpensAtItsPlaceOnly(t *testing.T) {
	v, plain, place := vault(t), []byte(`{"to":"ben@example.com"}`), []byte("row 1")
	sealed, err := v.Seal(plain, place)
	if err != nil || bytes.Contains(sealed, []byte("ben")) || sealed[0] != 1 {
		t.Fatalf("Seal = %q, %v", sealed, err)
	}
	if got, err := v.Open(sealed, place); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("Open = %q, %v, want %q", got, err, plain)
	}
	if again, err := v.Seal(plain, place); err != nil || bytes.Equal(again, sealed) {
		t.Error("the same field sealed twice looks the same")
	}
	if _, err := v.Open(sealed, []byte("row 2")); err == nil {
		t.Error("it opens at another place")
	}
	if _, err := vault(t).Open(sealed, place); err == nil {
		t.Error("it opens under another data key")
	}
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		if _, err := v.Open(changed, place); err == nil {
			t.Fatalf("it opens with byte %d changed", i)
		}
	}
}

// TestKeys: data keys open under the key that wrapped them alone, before and after a renewal.
func TestKeys(t *testing.T) {
	v, first, second := vault(t), key(t), key(t)
	sealed, err := v.Seal([]byte("x"), nil)
	if err != nil {
		t.Fatal(err)
	}
	wrapped, err := v.Wrap(first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(wrapped, second); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Open with another key = %v, want unavailable", err)
	}
	opened, err := Open(wrapped, first)
	if err != nil {
		t.Fatal(err)
	}
	renewed, err := opened.Renew()
	if err != nil || renewed.DataKeys() != 2 {
		t.Fatalf("Renew has %d keys, %v, want 2", renewed.DataKeys(), err)
	}
	wrapped, err = renewed.Wrap(second)
	if err != nil {
		t.Fatal(err)
	}
	last, err := Open(wrapped, second)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := last.Open(sealed, nil); err != nil || string(got) != "x" {
		t.Errorf("what the first data key sealed: %q, %v", got, err)
	}
	fresh, err := last.Seal([]byte("y"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Open(fresh, nil); err == nil {
		t.Error("after a renewal the old data key still seals")
	}
}

// TestKeyIsNotQuoted: an error about a key does not show it.
func TestKeyIsNotQuoted(t *testing.T) {
	for _, text := range []string{"", "c2VjcmV0", "secret secret", base64.StdEncoding.EncodeToString(make([]byte, 31))} {
		_, err := ParseKey(text)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("ParseKey(%q) = %v, want invalid without the key", text, err)
		}
	}
}

func BenchmarkSeal(b *testing.B) {
	v, plain := vault(b), make([]byte, 1<<20)
	b.SetBytes(int64(len(plain)))
	for b.Loop() {
		if _, err := v.Seal(plain, nil); err != nil {
			b.Fatal(err)
		}
	}
}
