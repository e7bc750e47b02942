package tokens

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// published reads a vocabulary as OpenAI publishes it: a line for each token, its bytes in base64 and its rank.
func published(t *testing.T, name string) map[string]uint32 {
	t.Helper()
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	ranks := map[string]uint32{}
	for line := range strings.Lines(string(file)) {
		token, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		raw, err := base64.StdEncoding.DecodeString(token)
		rank, wrong := strconv.ParseUint(number, 10, 32)
		if err != nil || wrong != nil {
			t.Fatalf("%s has the line %q", name, line)
		}
		ranks[string(raw)] = uint32(rank)
	}
	return ranks
}

// pack writes the form that readVocabulary reads.
func pack(t *testing.T, ranks map[string]uint32) string {
	t.Helper()
	tokens := slices.SortedFunc(maps.Keys(ranks), func(a, b string) int { return cmp.Compare(ranks[a], ranks[b]) })
	var gaps, lengths, text []byte
	jumps := 0
	for i, token := range tokens {
		if len(token) > 255 {
			t.Fatalf("a token has %d bytes", len(token))
		}
		next := uint32(0)
		if i > 0 {
			next = ranks[tokens[i-1]] + 1
		}
		if ranks[token] != next {
			jumps, gaps = jumps+1, binary.AppendUvarint(binary.AppendUvarint(gaps, uint64(i)), uint64(ranks[token]))
		}
		lengths, text = append(lengths, byte(len(token))), append(text, token...)
	}
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(tokens))), uint64(jumps))
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]byte{head, gaps, lengths, text} {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestVocabularies: every vocabulary is the published one. With -update the files are written anew.
func TestVocabularies(t *testing.T) {
	for name, s := range stored {
		want := published(t, name)
		if golden.Update() {
			if s.first == 0 {
				golden.Rewrite(t, "vocabularies/"+s.file, pack(t, want))
			}
			continue // it was embedded before
		}
		v := mustRead(name)
		if !maps.Equal(v.ranks, want) {
			t.Errorf("%s has %d tokens, which are not the %d of the published one", name, len(v.ranks), len(want))
		}
		for token, rank := range want {
			if v.rank(token) != rank {
				t.Fatalf("%s: rank(%q) = %d, want %d", name, token, v.rank(token), rank)
			}
		}
	}
}

// TestVocabularyCut: a file that was cut, or is none, is told.
func TestVocabularyCut(t *testing.T) {
	whole := pack(t, map[string]uint32{"a": 0, "b": 1, "ab": 7})
	if v, err := readVocabulary([]byte(whole), 0); err != nil || v.rank("ab") != 7 || v.rank("b") != 1 || v.rank("ba") != none {
		t.Fatalf("the whole file: %v, %v", v, err)
	}
	for n := range len(whole) {
		if _, err := readVocabulary([]byte(whole[:n]), 0); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(whole))
		}
	}
}
