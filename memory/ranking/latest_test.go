package ranking

import (
	"testing"
	"time"
)

func TestAsks(t *testing.T) {
	tests := []struct {
		text              string
		standing, present bool
	}{
		{"How many stamps do I have?", true, true},
		{"What is my current record?", true, true},
		{"How many stamps did I have last year?", false, false},
		{"What was my previous record?", false, false},
		{"Can you recommend me a film?", false, true},
		{"What tasks remain on my list?", false, true},
		{"Did I finish the report?", false, false},
		{"Who won?", false, false},
	}
	for _, tt := range tests {
		q := Read(tt.text, time.Time{}).Among(Found{})
		if q.asksState != tt.standing || q.asksPresent != tt.present {
			t.Errorf("Read(%q) = standing %v, present %v, want %v, %v", tt.text, q.asksState, q.asksPresent, tt.standing, tt.present)
		}
	}
}

// TestAsksOfAChange: a question why something changed asks for the change, though it speaks of the past.
func TestAsksOfAChange(t *testing.T) {
	for text, want := range map[string]bool{
		"Why did we leave our former supplier?": true, "How come we gave up the old ticket system?": true, "What became of the old van?": true, "Where has our former cook gone?": true,
		"What was our former supplier called?": false, "Why was the premiere late?": false, "Where did we live before?": false, "Why do we use Go?": false,
	} {
		q := Read(text, time.Time{})
		if q.ofChange != want || want && (q.asksPast || q.AsksEarlier()) {
			t.Errorf("Read(%q) asks of a change: %v, of the past: %v, want %v", text, q.ofChange, q.asksPast, want)
		}
	}
}

// TestSpanIsOfOneStretch: the words of a question that stand far apart in a long text are not one statement.
func TestSpanIsOfOneStretch(t *testing.T) {
	e := &Evidence{bm25: BM25{number: map[string]int{"stamp": 0, "own": 1}, idf: []float64{2, 1}}}
	far := make([]string, 3*stretch)
	far[0], far[2*stretch] = "stamp", "own"
	tests := []struct {
		doc  []string
		want float64
	}{
		{[]string{"i", "own", "a", "stamp", "stamp"}, 3},
		{far, 2},
		{nil, 0},
	}
	for _, tt := range tests {
		if got := e.span(tt.doc); got != tt.want {
			t.Errorf("span of %d terms = %v, want %v", len(tt.doc), got, tt.want)
		}
	}
}
