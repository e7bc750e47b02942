package storetest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// searchProbes: a question in any words and signs finds the texts that hold one of its words, and never fails.
func searchProbes(t *testing.T, s Store) {
	texts := map[string]string{
		"deploy": "We deploy on Thursdays, never on Fridays.",
		"tokyo":  "東京タワーの近くに住んでいます",
		"rocket": "Release day 🚀 is the first of the month",
		"quote":  `She said "NEAR(a b)" AND left* the {room}: col^2 - 'x'`,
	}
	var c memory.Change
	for _, id := range []string{"deploy", "tokyo", "rocket", "quote"} {
		c.Insert = append(c.Insert, object(id, texts[id]))
	}
	apply(t, s, c)
	for _, probe := range []struct{ question, want string }{
		{"When do the Thursday deployments happen, and who sings?", "deploy"},
		{`deploy" OR "1`, "deploy"},
		{"NOT deploying* ^thursdays", "deploy"},
		{"東京", "tokyo"},
		{"京", "tokyo"},
		{"🚀", "rocket"},
		{"near", "quote"},
		{"col:room", "quote"},
	} {
		found, err := s.Search(context.Background(), everything(), language.Query(probe.question), 10)
		if err != nil {
			t.Errorf("Search(%q): %v", probe.question, err)
			continue
		}
		if !slices.ContainsFunc(found.Candidates, func(c ranking.Candidate) bool { return c.Object.ObjectID == probe.want }) {
			t.Errorf("Search(%q) did not find %s", probe.question, probe.want)
		}
	}
}

// vectors: they belong to a version and a model, and die with the version.
func vectors(t *testing.T, s Store) {
	ctx := context.Background()
	a, b := object("a", "one"), object("b", "two")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{a, b}})
	wantUnembedded(t, s, "m", "a", "b")
	vector := func(id string, values ...float32) memory.Vector {
		return memory.Vector{Tenant: "acme", Key: ctxmcp.VersionKey{ObjectID: id, Version: 1}, Model: "m", Values: values}
	}
	apply(t, s, memory.Change{Vectors: []memory.Vector{vector("a", 1, 0), vector("gone", 1, 0)}})
	wantUnembedded(t, s, "m", "b")
	wantUnembedded(t, s, "other", "a", "b")
	near, missing, err := s.Nearest(ctx, everything(), "m", []float32{0.6, 0.8}, 10)
	if err != nil || !missing || len(near) != 1 {
		t.Fatalf("Nearest = %v, %v, %v, want a, with some missing", near, missing, err)
	}
	apply(t, s, memory.Change{Vectors: []memory.Vector{vector("b", 0, 1)}})
	near, missing, err = s.Nearest(ctx, everything(), "m", []float32{0.6, 0.8}, 10)
	if err != nil || missing || len(near) != 2 || near[0].Object.ObjectID != "b" || near[0].Similarity < 0.79 {
		t.Errorf("Nearest = %v, %v, %v, want b, a", near, missing, err)
	}
	if near, _, _ := s.Nearest(ctx, everything(), "other", []float32{0.6, 0.8}, 10); len(near) != 0 {
		t.Errorf("Nearest of another model = %v, want none", near)
	}
	apply(t, s, memory.Change{Vectors: []memory.Vector{{Tenant: "acme", Key: ctxmcp.KeyOf(a), Model: "other", Values: []float32{1, 0, 0}}}})
	wantUnembedded(t, s, "m")
	wantUnembedded(t, s, "other", "b")
	apply(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "b"}}})
	if near, _, _ := s.Nearest(ctx, everything(), "m", []float32{0.6, 0.8}, 10); len(near) != 1 {
		t.Errorf("Nearest after the erasure = %v, want a alone", near)
	}
}

// refusals: a text that a model refuses is not asked for again, and is not missing, until its next try is due.
func refusals(t *testing.T, s Store) {
	ctx := context.Background()
	a, b := object("a", "one"), object("b", "two")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{a, b}})
	apply(t, s, memory.Change{Vectors: []memory.Vector{
		{Tenant: "acme", Key: ctxmcp.KeyOf(a), Model: "m"}, {Tenant: "acme", Key: ctxmcp.KeyOf(b), Model: "m", Values: []float32{0, 1}},
	}})
	wantUnembedded(t, s, "m")
	near, missing, err := s.Nearest(ctx, everything(), "m", []float32{0, 1}, 10)
	if err != nil || missing || len(near) != 1 || near[0].Object.ObjectID != "b" {
		t.Errorf("Nearest = %v, %v, %v, want b, with none missing", near, missing, err)
	}
	for _, model := range []string{"other", "m"} {
		if err := s.Retry(ctx, model); err != nil {
			t.Fatalf("Retry: %v", err)
		}
	}
	wantUnembedded(t, s, "m", "a")
	if _, missing, _ := s.Nearest(ctx, everything(), "m", []float32{0, 1}, 10); !missing {
		t.Error("Nearest after Retry: nothing is missing, want a")
	}
}

// nearestUnderFilter: as many versions come back as were asked for, also when few of the similar ones may be seen.
func nearestUnderFilter(t *testing.T, s Store) {
	var c memory.Change
	const all, every = 3000, 60
	for i := range all {
		o := object(fmt.Sprintf("o%04d", i), fmt.Sprintf("memory %d", i))
		o.Classification = ctxmcp.HighlyRestricted
		if i%every == 0 {
			o.Classification = ctxmcp.Public
		}
		c.Insert = append(c.Insert, o)
		angle := float64(i) / all
		c.Vectors = append(c.Vectors, memory.Vector{Tenant: "acme", Key: ctxmcp.KeyOf(o), Model: "m",
			Values: []float32{float32(math.Cos(angle)), float32(math.Sin(angle))}})
	}
	apply(t, s, c)
	q := everything()
	q.Clearance = ctxmcp.Public
	near, _, err := s.Nearest(context.Background(), q, "m", []float32{1, 0}, 20)
	if err != nil || len(near) != 20 {
		t.Fatalf("Nearest found %d, %v, want 20", len(near), err)
	}
	for i, n := range near {
		if want := fmt.Sprintf("o%04d", i*every); n.Object.ObjectID != want {
			t.Errorf("the nearest after %d is %s, want %s", i, n.Object.ObjectID, want)
		}
	}
}

func wantUnembedded(t *testing.T, s Store, model string, want ...string) {
	t.Helper()
	rows, err := s.Unembedded(context.Background(), model, 10)
	if err != nil {
		t.Fatalf("Unembedded: %v", err)
	}
	var got []string
	for _, o := range rows {
		got = append(got, o.ObjectID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Unembedded(%q) differs (-want +got):\n%s", model, diff)
	}
}
