package ranking

import (
	"slices"
	"testing"
	"time"
)

// TestNearTerms: a question brings words of the same meaning, those of the relation that it asks about, none of its own, and no more than asked
// for.
func TestNearTerms(t *testing.T) {
	for _, tt := range []struct{ question, want string }{
		{"When did Ann marry?", "wed"}, {"Which vehicle do I own?", "car"}, {"What is the plumber's phone number?", "mobil"}, {"Which k8s version runs?", "kubernet"},
	} {
		q := Read(tt.question, time.Time{})
		all := q.NearTerms(200)
		if !slices.ContainsFunc(all, func(term string) bool { return len(term) >= len(tt.want) && term[:len(tt.want)] == tt.want }) {
			t.Errorf("near %q there is no %s: %q", tt.question, tt.want, all)
		}
		for _, own := range q.Terms {
			if slices.Contains(all, own) {
				t.Errorf("near %q there is its own %s", tt.question, own)
			}
		}
		if few := q.NearTerms(3); len(few) > 3 || !slices.Equal(few, all[:len(few)]) {
			t.Errorf("of %q the nearest three are %q", all, few)
		}
	}
	if got := Read("xqzt", time.Time{}).NearTerms(9); len(got) > 0 {
		t.Errorf("near a word that nobody knows there are %q", got)
	}
}
