package ranking

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	table "github.com/ctx-mcp/ctx-mcp/weights"
)

// TestBrokenWeights: a table of weights lacks no feature, has none twice, and no row without a source.
func TestBrokenWeights(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(weightRows), "\n")
	last := rows[len(rows)-1]
	broken := map[string][]string{
		"lacks a row":    rows[:len(rows)-1],
		"has one twice":  append(rows[:len(rows):len(rows)], last),
		"has a stranger": append(rows[:len(rows):len(rows)], "charm\t1\tby hand"),
		"has no source":  append(rows[:len(rows)-1:len(rows)-1], strings.TrimSuffix(last, "by hand")),
		"has no number":  append(rows[:len(rows)-1:len(rows)-1], strings.Replace(last, "0.5", "half", 1)),
		"has no tabs":    append(rows[:len(rows)-1:len(rows)-1], strings.ReplaceAll(last, "\t", " ")),
	}
	for name, rows := range broken {
		if _, err := weightsOf(strings.Join(rows, "\n")); err == nil {
			t.Errorf("a table that %s is read", name)
		}
	}
	if _, err := weightsOf(weightRows); err != nil {
		t.Errorf("weights.tsv: %v", err)
	}
}

func weightsOf(text string) (map[string]float64, error) { return table.Parse(text, rowNames()) }

// TestFeaturesAddUp: the features and the weights of a fit are those of the ranking.
func TestFeaturesAddUp(t *testing.T) {
	at := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	said := func(id, author, text string) Candidate {
		o := ctxmcp.ContextObject{ObjectID: id, Version: 1, Content: text, Author: author, SessionID: "s", ObservedAt: at}
		return Candidate{Object: &o, Terms: strings.Fields(strings.ToLower(text)), Position: len(id)}
	}
	found := Found{Documents: 3, Length: 20, Authors: []string{"assistant", "user"}, Frequency: map[string]int{"film": 1, "recommend": 1},
		Candidates: []Candidate{said("a", "user", "I love this film"), said("bb", "assistant", "May I recommend a movie?"), said("ccc", "user", "Yesterday it rained")}}
	e := Gather(Read("Can you recommend a film to me?", at).Among(found), found, Weigh(nil))
	totals, best := e.totals(weights)
	if best <= 0 || e.Len() != 3 || e.Object(1).ObjectID != "bb" {
		t.Fatalf("totals of %d candidates = %v", e.Len(), totals)
	}
	for i, want := range totals {
		sum := 0.0
		for k, value := range e.Features(i) {
			sum += Weights()[k].Value * value
		}
		if math.Abs(sum-want) > 1e-12 {
			t.Errorf("the features of %q add up to %v, want %v", e.Object(i).Content, sum, want)
		}
	}
}
