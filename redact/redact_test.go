package redact

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parseSample returns the text of a Yes sample without its marks, the result that Text must give, and the secrets.
func parseSample(t testing.TB, label, sample string) (text, want string, secrets []string) {
	t.Helper()
	rest := sample
	for {
		before, marked, found := strings.Cut(rest, "«")
		text, want = text+before, want+before
		if !found {
			break
		}
		secret, after, closed := strings.Cut(marked, "»")
		if !closed {
			t.Fatalf("sample %q opens « without »", sample)
		}
		text, want = text+secret, want+"["+label+":REDACTED]"
		secrets = append(secrets, secret)
		rest = after
	}
	if len(secrets) == 0 {
		t.Fatalf("sample %q marks no secret", sample)
	}
	return text, want, secrets
}

// positions are the places in which every Yes sample must be found.
var positions = []struct{ name, before, after string }{
	{"alone", "", ""},
	{"at the start", "", "\nand then more was said."},
	{"at the end", "It was said before:\n", ""},
	{"in a sentence", "We saw: ", " and went on."},
	{"beside non-ASCII", "ключ – ", " – ключ"},
	{"after a placeholder", "[PASSWORD:REDACTED] ", ""},
}

func TestEveryDetectorFindsItsYes(t *testing.T) {
	r := New(nil)
	for _, d := range detectors {
		for _, k := range d.Kinds {
			for _, sample := range samplesOf(k) {
				text, want, secrets := parseSample(t, k.Label, sample)
				if got, _ := r.Text(text); got != want {
					t.Errorf("%s: Text(%q)\n got %q\nwant %q", k.Label, text, got, want)
					continue
				}
				for _, p := range positions {
					got, _ := r.Text(p.before + text + p.after)
					checkGone(t, k.Label+" "+p.name, got, secrets)
				}
				checkJSON(t, r, k.Label, text, secrets)
			}
		}
	}
}

// samplesOf returns the kind's samples and, for a vendor's token, those that follow from the rows of the table.
func samplesOf(k kind) []string {
	list := slices.Clone(k.Yes)
	for _, row := range tokens {
		if row.Label == k.Label {
			list = append(list, row.sample())
		}
	}
	return list
}

// checkGone fails if a secret is in the text.
func checkGone(t *testing.T, where, text string, secrets []string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("%s: %q still holds %q", where, text, secret)
		}
	}
}

// checkJSON puts the text into JSON, once and twice, and fails if a secret stays or the result is not JSON.
func checkJSON(t *testing.T, r *Redactor, label, text string, secrets []string) {
	t.Helper()
	for depth := 1; depth <= 2; depth++ {
		text = encode(t, map[string]any{"id": 7, "text": text})
		got, _ := r.Text(text)
		for range depth {
			var doc struct{ Text string }
			if err := json.Unmarshal([]byte(got), &doc); err != nil {
				t.Errorf("%s: Text(%s) = %s, which is not JSON: %v", label, text, got, err)
				return
			}
			got = doc.Text
		}
		checkGone(t, label+" in JSON", got, secrets)
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEveryDetectorLeavesItsNo(t *testing.T) {
	r := New([]byte("key"))
	for _, d := range detectors {
		for _, k := range d.Kinds {
			for _, text := range k.No {
				for _, p := range positions {
					in := p.before + text + p.after
					if got, findings := r.Text(in); got != in || len(findings) > 0 {
						t.Errorf("%s %s: Text(%q) = %q, %v; want it unchanged", k.Label, p.name, in, got, findings)
					}
				}
				in := encode(t, []string{text})
				if got, _ := r.Text(in); got != in {
					t.Errorf("%s: Text(%s) = %s, want it unchanged", k.Label, in, got)
				}
			}
		}
	}
}

func TestLabelsAreWordsOfTheirOwn(t *testing.T) {
	seen := make(map[string]bool)
	for _, l := range Labels() {
		if seen[l.Name] || !regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,39}$`).MatchString(l.Name) || l.Doc == "" {
			t.Errorf("label %q, doc %q: want a new word in capitals with a doc", l.Name, l.Doc)
		}
		seen[l.Name] = true
	}
	for n, v := range names {
		if !seen[v.label] {
			t.Errorf("names[%q] has label %q, which no detector lists", n, v.label)
		}
	}
}

func TestFindingsAreCountedAndSorted(t *testing.T) {
	_, got := New(nil).Text("password=hunter2 passwd=hunter3\nCard: 4242424242424242")
	want := []Finding{{Label: "CARD", Count: 1}, {Label: "PASSWORD", Count: 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestMarkTellsEqualSecretsApartFromOthers(t *testing.T) {
	secret := "correct-horse-battery-9"
	read := func(r *Redactor, text string) string {
		got, _ := r.Text(text)
		m := regexp.MustCompile(`:REDACTED#([a-z2-9]{8})\]`).FindStringSubmatch(got)
		if m == nil {
			t.Fatalf("Text(%q) = %q, want a mark", text, got)
		}
		return m[1]
	}
	r := New([]byte("installation"))
	mark := read(r, "password="+secret)
	if again := read(r, "client_secret: '"+secret+"'"); again != mark {
		t.Errorf("the same secret under another label has mark %s, want %s", again, mark)
	}
	for name, other := range map[string]string{
		"another secret":       read(r, "password="+secret+"9"),
		"another tenant":       read(r.For("acme"), "password="+secret),
		"a third tenant":       read(r.For("acme2"), "password="+secret),
		"another installation": read(New([]byte("elsewhere")), "password="+secret),
	} {
		if other == mark {
			t.Errorf("%s has the same mark %s", name, mark)
		}
	}
}

func TestNoMarkOnWhatCanBeGuessed(t *testing.T) {
	r := New([]byte("installation")).For("acme")
	for _, text := range []string{"password=fifteen-chars-9", "SSN: 774-62-6362", "Card: 4242424242424242",
		"iban DE89370400440532013000"} {
		if got, _ := r.Text(text); strings.Contains(got, "#") || !strings.Contains(got, ":REDACTED]") {
			t.Errorf("Text(%q) = %q, want a placeholder without a mark", text, got)
		}
	}
	if got, _ := New(nil).Text("password=longer-than-sixteen-9"); got != "password=[PASSWORD:REDACTED]" {
		t.Errorf("without a key got %q, want no mark", got)
	}
}

func TestWithoutLeavesALabelAlone(t *testing.T) {
	text := "Card: 4242424242424242, SSN: 774-62-6362"
	got, findings := New(nil).Without("CARD").For("acme").Text(text)
	if want := "Card: 4242424242424242, SSN: [SSN:REDACTED]"; got != want {
		t.Errorf("Text(%q) = %q, want %q", text, got, want)
	}
	if diff := cmp.Diff([]Finding{{Label: "SSN", Count: 1}}, findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestAFakePlaceholderHidesNothing(t *testing.T) {
	key := "AKIA" + "Z5AZ3QKDTD4YW6OZ"
	for _, text := range []string{"[" + key + ":REDACTED]", "password=[PASSWORD:REDACTED]hunter2", "[PASSWORD:REDACTED#" + key + "]",
		"password=[HUNTER2:REDACTED]"} {
		if got, _ := New(nil).Text(text); strings.Contains(got, key) || strings.Contains(strings.ToLower(got), "hunter2") {
			t.Errorf("Text(%q) = %q, which still holds the secret", text, got)
		}
	}
}
