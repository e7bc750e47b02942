package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// An encoding writes text. part tells where the n bytes from i then stand, without the bytes that they share with their
// neighbours.
type encoding struct {
	name   string
	encode func(text string) string
	part   func(text string, i, n int) (start, end int)
}

// bytewise writes the bytes by a format, all of them or those only that are no letters and digits.
func bytewise(name, format string, all bool) encoding {
	encode := func(text string) string {
		var b strings.Builder
		for i := range len(text) {
			if all || !alnum[text[i]] {
				fmt.Fprintf(&b, format, text[i])
			} else {
				b.WriteByte(text[i])
			}
		}
		return b.String()
	}
	return encoding{name, encode, func(text string, i, n int) (int, int) {
		return len(encode(text[:i])), len(encode(text[:i+n]))
	}}
}

func inBase64(_ string, i, n int) (start, end int) { return (i*4 + 2) / 3, (i + n) * 4 / 3 }

// escapedJSONText writes every character as JSON may.
func escapedJSONText(text string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	return b.String()
}

var encodings = []encoding{
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }, inBase64},
	{"base64 of URLs", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }, inBase64},
	{"hexadecimal", func(s string) string { return hex.EncodeToString([]byte(s)) }, func(_ string, i, n int) (int, int) { return 2 * i, 2 * (i + n) }},
	{"escapes of JSON", escapedJSONText, func(text string, i, n int) (int, int) {
		return len(escapedJSONText(text[:i])), len(escapedJSONText(text[:i+n]))
	}},
	bytewise("escapes of C", `\x%02x`, true),
	bytewise("percent escapes of all", `%%%02X`, true),
	bytewise("percent escapes", `%%%02X`, false),
}

// TestEveryDetectorFindsItsYesEncoded fails if eight characters of an encoded secret stay, or all of a shorter one.
func TestEveryDetectorFindsItsYesEncoded(t *testing.T) {
	r := New([]byte("key"))
	for _, d := range detectors {
		for _, k := range d.Kinds {
			for _, sample := range samplesOf(k) {
				text, _, secrets := parseSample(t, k.Label, sample)
				for _, e := range encodings {
					checkEncoded(t, r, k.Label, text, secrets, e)
				}
			}
		}
	}
}

func checkEncoded(t *testing.T, r *Redactor, label, text string, secrets []string, e encoding) {
	t.Helper()
	text = "so it was said: " + text + " - and more"
	whole := "payload " + e.encode(text) + " end"
	got, _ := r.Text(whole)
	for _, secret := range secrets {
		start, end := e.part(text, strings.Index(text, secret), len(secret))
		if part := whole[len("payload ")+start : len("payload ")+end]; strings.Contains(got, part) {
			t.Errorf("%s in %s: Text(%q)\n still holds %q in %q", label, e.name, text, part, got)
		}
	}
}

func TestEncodingsAreSeenThroughToDepthThree(t *testing.T) {
	r := New(nil)
	text := `{"password": "correct horse 9"}`
	for depth := 1; depth <= maxDepth; depth++ {
		text = base64.StdEncoding.EncodeToString([]byte(text))
		if got, _ := r.Text(text); !strings.Contains(got, "[PASSWORD:REDACTED]") {
			t.Errorf("at depth %d Text(%s) = %s", depth, text, got)
		}
	}
}

func TestDecodingLeavesOtherTextAlone(t *testing.T) {
	r := New(nil)
	for _, text := range []string{
		"data:image/png;base64," + strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 20),
		"a%20b%3Dc \\u0026 \\x41 \\/ &amp; 100%de",
		"sha512-" + strings.Repeat("Zk9hc2hlcyBhcmUgbm90", 4) + "==",
		`C:\users\x64\u0041pp`,
		"/usr/local/lib/python3/dist-packages/pkg_resources/extern/packaging",
		"VGhpcyBpcyBqdXN0IGEgdGV4dCB3aXRob3V0IGFueSBzZWNyZXQgaW4gaXQu",
	} {
		if got, _ := r.Text(text); got != text {
			t.Errorf("Text(%q) = %q, want it unchanged", text, got)
		}
	}
}

func TestDigitsOfSeesEveryByte(t *testing.T) {
	for at := range 8 {
		for b := range 256 {
			text := []byte("a0\xff/:9\x000")
			text[at] = byte(b)
			for i, c := range text {
				got := digitsOf(eightAt("-"+string(text), 1))>>(8*i)&0xff == 0x80
				if got != digits[c] {
					t.Errorf("byte %d of %q is a digit: %v, want %v", i, text, got, digits[c])
				}
			}
		}
	}
}

func TestLettersOfSeesEveryByte(t *testing.T) {
	for at := range 8 {
		for b := range 256 {
			text := []byte("a@Z[`z{\xe1")
			text[at] = byte(b)
			for i, c := range text {
				if got := lettersOf(eightAt(string(text), 0))>>(8*i)&0xff == 0x80; got != letters[c] {
					t.Errorf("byte %d of %q is a letter: %v, want %v", i, text, got, letters[c])
				}
			}
		}
	}
}

func TestNumbersAreShownOnce(t *testing.T) {
	for n := 1; n < 40; n++ {
		for start := range 20 {
			s := strings.Repeat("a", start) + strings.Repeat("7", n) + "a1b"
			var got []stretch
			d := detector{number: func(_ *scan, i, n int) int {
				got = append(got, stretch{i, i + n})
				return i + n
			}}
			e := engineOf([]detector{d})
			(&scan{ctx: t.Context(), engine: e, s: s, read: make([]stretch, 1)}).numbers()
			if want := []stretch{{start, start + n}}; n > 1 && !slices.Equal(got, want) || n == 1 && got != nil {
				t.Errorf("of %q the numbers %v are shown, want %v", s, got, want)
			}
		}
	}
}
