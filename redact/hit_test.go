package redact

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func scanned(t testing.TB, r *Redactor, text string) (hits []Hit) {
	t.Helper()
	if err := r.Scan(context.Background(), &chunks{text, 4097}, func(h Hit) { hits = append(hits, h) }); err != nil {
		t.Fatalf("Scan: %v", err)
	}
	return hits
}

// TestScanSaysWhereSecretsBegin puts the samples of all detectors into a text of several pieces.
func TestScanSaysWhereSecretsBegin(t *testing.T) {
	r, order := New([]byte("key")), rand.New(rand.NewPCG(1, 2))
	type place struct {
		label        string
		line, offset int
	}
	var want []place
	var text strings.Builder
	line := 1
	var kinds []kind
	for _, d := range detectors {
		kinds = append(kinds, d.Kinds...)
	}
	add := func(s string) {
		text.WriteString(s)
		line += strings.Count(s, "\n")
	}
	for text.Len() < 3<<20 {
		k := kinds[order.IntN(len(kinds))]
		list := samplesOf(k)
		if len(list) == 0 {
			continue
		}
		sample, _, _ := parseSample(t, k.Label, list[order.IntN(len(list))])
		alone, _ := r.Text(sample)
		if found := scanned(t, r, sample); len(found) == 1 && strings.Count(alone, ":REDACTED") == 1 {
			h := found[0]
			want = append(want, place{h.Label, line + h.Line - 1, text.Len() + h.Offset})
		}
		add(sample + "\n\n")
		add(strings.Repeat(strings.Repeat("so they went on, and on. ", 12)+"\n", order.IntN(8)))
	}
	at := map[place]bool{}
	for _, h := range scanned(t, r, text.String()) {
		at[place{h.Label, h.Line, h.Offset}] = true
		if got := 1 + strings.Count(text.String()[:h.Offset], "\n"); h.Line != got {
			t.Fatalf("%s at byte %d: line %d, want %d", h.Label, h.Offset, h.Line, got)
		}
	}
	missing := 0
	for _, p := range want {
		if !at[p] {
			missing++
		}
	}
	if missing > len(want)/100 { // a neighbour may take a sample into its own
		t.Errorf("%d of %d samples are not where they begin", missing, len(want))
	}
}

func TestScanSaysWhatASingleSampleSays(t *testing.T) {
	r := New([]byte("key"))
	for _, d := range detectors {
		for _, k := range d.Kinds {
			for _, sample := range samplesOf(k) {
				text, _, secrets := parseSample(t, k.Label, sample)
				hits := scanned(t, r, "one\ntwo\n"+text)
				if len(hits) != len(secrets) {
					t.Errorf("Scan(%q) found %d, want %d", text, len(hits), len(secrets))
					continue
				}
				before, _, _ := strings.Cut(sample, "«")
				want := Hit{k.Label, hits[0].Fingerprint, 3 + strings.Count(before, "\n"), len("one\ntwo\n" + before)}
				if diff := cmp.Diff(want, hits[0]); diff != "" {
					t.Errorf("Scan(%q) (-want +got):\n%s", text, diff)
				}
			}
		}
	}
}

func TestScanCountsWhatCopyCounts(t *testing.T) {
	r := New([]byte("key"))
	text := shuffled(t, 3<<20)
	_, found := r.Text(text)
	want, got := map[string]int{}, map[string]int{}
	for _, f := range found {
		want[f.Label] = f.Count
	}
	for _, h := range scanned(t, r, text) {
		got[h.Label]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Scan found otherwise than Text (-want +got):\n%s", diff)
	}
}
