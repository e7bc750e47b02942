package packets_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/packets"
)

// FuzzCanonical: the canonical form of a canonical form is itself, and writing the same value otherwise changes nothing.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":[1e3,"\u00e9","é",null]}`, `1e999`, `"\ud800"`, `{"a":1,"a":2}`, `-0`, `{"\u20ac":1,"z":0.1}`, `9007199254740993`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := packets.Canonical(t.Context(), json.RawMessage(text))
		if err != nil {
			return
		}
		again, err := packets.Canonical(t.Context(), json.RawMessage(first))
		if err != nil || !bytes.Equal(first, again) {
			t.Errorf("Canonical(%s) = %s, and of that %s, %v", text, first, again, err)
		}
		var spread bytes.Buffer
		if err := json.Indent(&spread, []byte(text), " ", "\t"); err != nil {
			t.Fatal(err)
		}
		if other, err := packets.Canonical(t.Context(), json.RawMessage(spread.Bytes())); err != nil || !bytes.Equal(first, other) {
			t.Errorf("Canonical of %s, written otherwise, = %s, %v, want %s", text, other, err, first)
		}
	})
}

// FuzzReplay: bytes that nobody wrote as a bundle never pass, and break nothing.
func FuzzReplay(f *testing.F) {
	f.Add([]byte("x"))
	f.Add(make([]byte, 1024))
	f.Add([]byte(`{"format":"ctx-mcp/replay-bundle"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		report, err := abroad.Replay(t.Context(), raw)
		if err != nil || report.Valid() {
			t.Errorf("Replay = %+v, %v", report, err)
		}
	})
}
