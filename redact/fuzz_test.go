package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzText looks for a text around a secret in which Text breaks its invariant: a second pass changes something, JSON
// is JSON no more, a character is cut, or a secret on lines of its own survives.
func FuzzText(f *testing.F) {
	var samples []kind
	for _, d := range detectors {
		for _, k := range d.Kinds {
			for _, sample := range samplesOf(k) {
				samples = append(samples, kind{Label: k.Label, Yes: []string{sample}})
			}
			for _, text := range k.No {
				f.Add(text, "", 0)
			}
		}
	}
	for i := range samples {
		f.Add("before", "after", i)
	}
	for _, piece := range hostile {
		f.Add(piece, piece, len(piece))
	}
	r := New([]byte("key"))
	f.Fuzz(func(t *testing.T, before, after string, i int) {
		k := samples[uint(i)%uint(len(samples))]
		text, _, secrets := parseSample(t, k.Label, k.Yes[0])
		checkLaws(t, r, before+text+after)
		checkLaws(t, r, before)
		got := checkLaws(t, r, before+"\n"+text+"\n"+after)
		for _, secret := range secrets {
			if !strings.Contains(before, secret) && !strings.Contains(after, secret) && strings.Contains(got, secret) {
				t.Errorf("%q around a %s leaves it in %q", []string{before, after}, k.Label, got)
			}
		}
	})
}

// checkLaws fails if Text is not idempotent on the text, or if it breaks JSON. It returns Text's result.
func checkLaws(t *testing.T, r *Redactor, text string) string {
	t.Helper()
	got, findings := r.Text(text)
	if again, _ := r.Text(got); again != got {
		t.Errorf("Text(%q)\n is %q,\n then %q", text, got, again)
	}
	if len(findings) == 0 && got != text {
		t.Errorf("Text(%q) = %q without a finding", text, got)
	}
	if isJSON(text) && !json.Valid([]byte(got)) {
		t.Errorf("Text(%q) = %q, which is no JSON", text, got)
	}
	if utf8.ValidString(text) && !utf8.ValidString(got) {
		t.Errorf("Text(%q) = %q, which is no UTF-8", text, got)
	}
	return got
}

// FuzzCopy looks for a text, a place near the end of a piece and a size of chunks for which a long text is not redacted
// alike, or a secret survives.
func FuzzCopy(f *testing.F) {
	var samples []kind
	for _, d := range detectors {
		for _, k := range d.Kinds {
			for _, sample := range samplesOf(k) {
				samples = append(samples, kind{Label: k.Label, Yes: []string{sample}})
			}
		}
	}
	f.Add("so it goes on, ", uint16(3), uint16(0), uint16(4096))
	f.Add("no-break", uint16(40), uint16(17), uint16(60000))
	f.Add("{\"a\": [1, \"b\"]}, ", uint16(90), uint16(99), uint16(77))
	r := New([]byte("key"))
	f.Fuzz(func(t *testing.T, filler string, i, back, size uint16) {
		k := samples[int(i)%len(samples)]
		text, _, secrets := parseSample(t, k.Label, k.Yes[0])
		filler += " "
		around := strings.Repeat(filler, (pieceSize+lookAhead)/len(filler)+1)
		at := max(0, pieceSize-int(back))
		whole := around[:at] + "\n" + text + "\n" + around[:len(around)-at/2]
		got, _ := r.Text(whole)
		if other := copied(t, r, whole, int(size)+1024); other != got {
			t.Errorf("%q, %d before the end of a piece: in chunks of %d it differs from the whole", text, back, size)
		}
		for _, secret := range secrets {
			if !strings.Contains(around, secret) && strings.Contains(got, secret) {
				t.Errorf("%q, %d before the end of a piece, leaves %q", text, back, secret)
			}
		}
	})
}
