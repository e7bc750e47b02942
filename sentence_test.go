package ctxmcp

import "testing"

func TestSentence(t *testing.T) {
	const s Sentence = "{who} asks {whom}; {x} stays."
	for _, tc := range []struct {
		values []string
		want   string
	}{
		{nil, string(s)},
		{[]string{"Ann", "Bo"}, "Ann asks Bo; {x} stays."},
		{[]string{"{a}", "", "{b} $1"}, "{a} asks ; {b} $1 stays."}, // values are not read again
	} {
		if got := s.With(tc.values...); got != tc.want {
			t.Errorf("With(%q) = %q, want %q", tc.values, got, tc.want)
		}
	}
}
