package taint

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestScansFindAsPatternsDo compares the scans that read every result with the patterns that say it shorter, on random texts of the signs that count.
func TestScansFindAsPatternsDo(t *testing.T) {
	runs := regexp.MustCompile(`[A-Za-z0-9+/_-]{20,}={0,2}|(?:%[0-9A-Fa-f]{2}){6,}|(?:\\x[0-9A-Fa-f]{2}){6,}`)
	name := regexp.MustCompile(`[\p{L}\p{N}][@_=/\\.:][\p{L}\p{N}]|@|://|[\p{L}\p{N}],[\p{L}\p{N}]`)
	parts := []string{"%41", "%", "%4", "\\x41", "\\x", "\\", "a", "Zq", "abcdefghijklmnop", "+/", "=", "==", " ", "_", "-", "é", "\xff", "½", "@", ":", "/", "://", ".", ",", "9"}
	r := rand.New(rand.NewPCG(1, 2))
	some, names := 0, 0
	for range 20_000 {
		var b strings.Builder
		for part, times := "", r.IntN(9); times > 0; times-- {
			part = parts[r.IntN(len(parts))]
			b.WriteString(strings.Repeat(part, 1+r.IntN(2)*r.IntN(9)))
		}
		text := b.String()
		var want []span
		for _, at := range runs.FindAllStringIndex(text, 3) {
			want = append(want, span{at[0], at[1]})
		}
		if got := encodedRuns(text, 3); !reflect.DeepEqual(got, want) {
			t.Fatalf("encodedRuns(%q) = %v, want %v", text, got, want)
		}
		if got, want := inName(text), name.MatchString(text); got != want {
			t.Fatalf("inName(%q) = %v, want %v", text, got, want)
		}
		some += len(want)
		if inName(text) {
			names++
		}
	}
	if some < 1000 || names < 1000 || names > 19_000 {
		t.Errorf("the texts hold %d runs and %d names: they test little", some, names)
	}
}
