package config

import (
	"testing"
)

// A share or a number that is set to 0 arrives as 0, and is not taken for the default.
func TestZeroIsAValue(t *testing.T) {
	c := New()
	for _, key := range []string{"memory.min_letters", "memory.min_relevance", "memory.min_claim", "prompt.cache_relax",
		"conversation.preserve_first", "context_accumulator.semantic_distance_threshold"} {
		if err := valueOf(t, c, key).Set("0"); err != nil {
			t.Fatal(err)
		}
	}
	m, r, a := c.MemoryOptions(), c.ReduceOptions(), c.ActionOptions()
	for name, got := range map[string]*float64{"MinLetters": m.MinLetters, "MinRelevance": m.MinRelevance, "MinClaim": m.MinClaim,
		"CacheRelax": r.CacheRelax, "DriftThreshold": a.DriftThreshold} {
		if got == nil || *got != 0 {
			t.Errorf("%s = %v, want 0", name, got)
		}
	}
	if r.PreserveFirst == nil || *r.PreserveFirst != 0 {
		t.Errorf("PreserveFirst = %v, want 0", r.PreserveFirst)
	}
	c.Summarize = false
	if at := c.ActionOptions().SummarizeAt; at == nil || *at != 0 {
		t.Errorf("SummarizeAt = %v where nothing is summarized, want 0", at)
	}
}
