package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// plain are the options of the tests.
func plain() Options {
	return Options{
		Now: sampleNow, Redact: redact.New(nil).Text,
		Coexists: func(predicate string) bool { return predicate == "likes" },
	}
}

func report(t testing.TB, o Options, records []Record) Report {
	t.Helper()
	a := New(o)
	for _, r := range records {
		a.Add(r)
	}
	r, err := a.Report(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// described returns the findings of a kind as samples write them.
func described(r Report, kind Kind) []string {
	var all []string
	for _, f := range r.Findings {
		if f.Kind != kind {
			continue
		}
		ids := []string{}
		for _, p := range f.Records {
			ids = append(ids, p.ID)
		}
		all = append(all, f.Why+": "+strings.Join(ids, " "))
	}
	return all
}

// TestSamples: every check finds the faults that its samples name, and has a sample without a fault.
func TestSamples(t *testing.T) {
	seen := map[Kind]bool{}
	for _, c := range checks {
		if seen[c.Kind] || c.Doc == "" {
			t.Errorf("%s stands twice, or has no doc", c.Kind)
		}
		seen[c.Kind] = true
		bad, good := 0, 0
		for i, s := range c.samples {
			got := described(report(t, plain(), s.records), c.Kind)
			if diff := cmp.Diff(s.want, got); diff != "" {
				t.Errorf("%s, sample %d (-want +got):\n%s", c.Kind, i, diff)
			}
			if len(s.want) > 0 {
				bad++
			} else {
				good++
			}
		}
		if bad == 0 || good == 0 {
			t.Errorf("%s has %d samples of what is wrong and %d of what is not", c.Kind, bad, good)
		}
	}
}

// TestReportIsDeterministic: the order of the records moves nothing but the places within a cluster of near duplicates.
func TestReportIsDeterministic(t *testing.T) {
	var records []Record
	for _, c := range checks {
		for i, s := range c.samples {
			for _, r := range s.records {
				r.ID, r.Group = fmt.Sprintf("%s-%d-%s", c.Kind, i, r.ID), r.Group+string(c.Kind)
				records = append(records, r)
			}
		}
	}
	want, err := json.Marshal(report(t, plain(), records))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := json.Marshal(report(t, plain(), records))
		if err != nil || string(again) != string(want) {
			t.Fatalf("the same records give another report, %v:\n%s\n%s", err, want, again)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	shuffled := slices.Clone(records)
	rnd.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	first, second := report(t, plain(), records), report(t, plain(), shuffled)
	if diff := cmp.Diff(first.Kinds, second.Kinds); diff != "" {
		t.Errorf("in another order the counts differ:\n%s", diff)
	}
	for _, kind := range []Kind{Secret, Contradiction, Stale, Oversized, Unrecalled} {
		if diff := cmp.Diff(described(first, kind), described(second, kind)); diff != "" {
			t.Errorf("in another order %s differs:\n%s", kind, diff)
		}
	}
}

// TestReportHoldsNoSecret: wherever a secret stands, cut or not, it is in neither form of the report.
func TestReportHoldsNoSecret(t *testing.T) {
	const password = "hunter2-Zx81q-and-so-on"
	const secret = "password: " + password
	padding := strings.Repeat("x", excerptLength-len(secret)/2-5)
	objects := []ctxmcp.ContextObject{{
		ObjectID: "o", Content: padding + " " + secret, Author: secret, WhyItMatters: secret, BehavioralImplication: secret,
		SourceOrigin: secret, UpdatePath: secret, Aliases: []string{secret}, NormalizedClaim: "other " + secret,
		Claim: ctxmcp.Claim{Subject: "s", Predicate: "password", Value: password}, Closing: &ctxmcp.Closing{Reason: secret},
	}}
	records := []Record{
		Of(objects[0]),
		{ID: secret, Content: secret + " alpha beta gamma delta", Group: secret, Claim: ctxmcp.Claim{Subject: secret, Predicate: secret, Value: "1"}},
		{ID: secret, Content: secret + " alpha beta gamma delta", Group: secret, Claim: ctxmcp.Claim{Subject: secret, Predicate: secret, Value: "2"}},
		{ID: secret, Content: secret + " alpha beta gamma delta epsilon", Group: secret, Texts: []Text{{"note", secret}}},
	}
	r := report(t, plain(), records)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := r.Print(&printed, 0); err != nil {
		t.Fatal(err)
	}
	for i := range len(password) - 7 {
		if part := password[i : i+8]; strings.Contains(string(text)+printed.String(), part) {
			t.Fatalf("the report holds %q of a secret:\n%s\n%s", part, text, printed.String())
		}
	}
	found := described(r, Secret)
	for _, field := range []string{"content", "author", "why_it_matters", "behavioral_implication", "source_origin", "update_path",
		"aliases", "normalized_claim", "claim", "closing.reason"} {
		if !strings.Contains(strings.Join(found, "\n"), "PASSWORD in "+field) {
			t.Errorf("no finding names %s:\n%s", field, strings.Join(found, "\n"))
		}
	}
}

// TestExcerptSteersNoTerminal: the text of a memory cannot move the cursor or hide the text behind it.
func TestExcerptSteersNoTerminal(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a\x1b[2J\r\nb\u202ec\x00", "a [2J b c"},
		{strings.Repeat("é", 200), strings.Repeat("é", excerptLength) + "…"},
		{"  x  ", "x"},
		{"", ""},
	} {
		if got := excerpt(tt.text); got != tt.want {
			t.Errorf("excerpt(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestNearIsExact compares the groups with those of comparing every pair.
func TestNearIsExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for round := range 30 {
		o := plain()
		o.Similarity = []float64{0.5, 0.8, 0.9, 1}[round%4]
		var records []Record
		for i := range 120 {
			words := map[string]bool{}
			for range 4 + rnd.IntN(6) {
				words[fmt.Sprintf("w%d", rnd.IntN(14))] = true
			}
			if len(words) < fewTerms {
				continue
			}
			text := strings.Join(slices.Sorted(func(yield func(string) bool) {
				for w := range words {
					if !yield(w) {
						return
					}
				}
			}), " ")
			records = append(records, Record{ID: fmt.Sprint(i), Content: text})
		}
		want := everyPair(records, o.Similarity)
		got := 0
		for _, f := range report(t, o, records).Findings {
			if f.Kind == NearDuplicate {
				got += len(f.Records) - 1
			}
		}
		if got != want {
			t.Errorf("at %.1f, %d texts joined a group, want %d", o.Similarity, got, want)
		}
	}
}

// everyPair counts the texts that join an earlier one, by comparing each with every text that opened a group.
func everyPair(records []Record, least float64) int {
	var leaders []map[string]bool
	seen := map[string]bool{}
	joined := 0
	for _, r := range records {
		if seen[r.Content] {
			continue
		}
		seen[r.Content] = true
		set := map[string]bool{}
		for _, w := range strings.Fields(r.Content) {
			set[w] = true
		}
		similar := slices.ContainsFunc(leaders, func(l map[string]bool) bool {
			common := 0
			for w := range set {
				if l[w] {
					common++
				}
			}
			return float64(common)/float64(len(set)+len(l)-common) >= least
		})
		if similar {
			joined++
		} else {
			leaders = append(leaders, set)
		}
	}
	return joined
}

// TestClashes compares the two passes with every pair.
func TestClashes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		slot := make([]claimed, 2+rnd.IntN(6))
		for i := range slot {
			from := rnd.IntN(6)
			slot[i].value = fmt.Sprint(rnd.IntN(3))
			slot[i].valid.From = sampleNow.AddDate(0, 0, from)
			if rnd.IntN(3) > 0 {
				slot[i].valid.To = sampleNow.AddDate(0, 0, from+1+rnd.IntN(3))
			}
		}
		want := make([]bool, len(slot))
		for i, x := range slot {
			want[i] = slices.ContainsFunc(slot, func(y claimed) bool { return x.value != y.value && x.valid.Overlaps(y.valid) })
		}
		if got := clashes(slot); !slices.Equal(got, want) {
			t.Fatalf("clashes(%v) = %v, want %v", slot, got, want)
		}
	}
}

func TestPrint(t *testing.T) {
	records := []Record{
		{ID: "a", Line: 2, Content: "Deploys on Thursday"}, {ID: "b", Line: 1, Content: "deploys on thursday"}, {ID: "c", Line: 3, Content: "Deploys on thursday"},
		{ID: "d", Group: "user_ann", Content: "password: hunter2-Zx81q"}, {ID: "e", Content: "password: hunter2-Zx81q"},
	}
	r := report(t, plain(), records)
	r.Format = "mem0"
	var b strings.Builder
	if err := r.Print(&b, 1); err != nil {
		t.Fatal(err)
	}
	want := `5 memories (mem0), on 2026-01-01: 3 findings
  secret               2  a secret in the clear, or personal data that is to be hidden: take it out, and change a secret where it is valid
  contradiction        0  two values where one can be true: end the one that is not
  duplicate            1  the same text again: keep one
  near_duplicate       0  nearly the same text: keep the better one, or say how they differ
  stale                0  no longer true, faded, or not said again for long: confirm it, or end it
  oversized            0  too long to be recalled beside anything else: keep the conclusion
  unrecalled           0  never recalled: nobody needed it, or nothing finds it

secret
  holds PASSWORD in content
    d user_ann  password: [PASSWORD:REDACTED]
  and 1 more

duplicate
  the same text 3 times
    line 1 b  deploys on thursday
    and 2 more
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("Print (-want +got):\n%s", diff)
	}
	broken := errors.New("broken")
	if err := r.Print(writer(func([]byte) (int, error) { return 0, broken }), 0); !errors.Is(err, broken) {
		t.Errorf("Print to what is broken: %v", err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

func TestReportStops(t *testing.T) {
	a := New(plain())
	a.Add(Record{Content: "alpha beta gamma delta"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Report(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Report of a cancelled context: %v", err)
	}
}
