package reduce

import (
	"strings"
	"testing"
)

// TestWarmCache: with the state of a call before, whose prompt the provider's cache has, an epoch waits twice as long, and nobody is warned.
func TestWarmCache(t *testing.T) {
	s, yes := newService(newKeeper()), true
	all := worked(t, 40, 10)
	size := reduced(t, s, Request{Messages: all, Limit: 1_000_000}).Before
	for _, tt := range []struct {
		name  string
		share float64 // of the limit that the conversation takes
		warm  bool
		epoch bool
	}{
		{"over 75 %, the first call", 0.8, false, true},
		{"over 75 %, a later call", 0.84, true, false},
		{"over 85 %, a later call", 0.87, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Request{Messages: all, Limit: int(float64(size) / tt.share), PromptCache: &yes}
			if tt.warm {
				before := reduced(t, s, Request{Messages: all[:6], Limit: r.Limit, PromptCache: &yes})
				r.State = &before.State
			}
			if out := reduced(t, s, r); (out.Removed > 0) != tt.epoch || len(out.Warnings) > 0 {
				t.Errorf("%d messages removed, %v", out.Removed, out.Warnings)
			}
		})
	}
}

// TestCacheOfASmallLimit: while a prompt cache is in use under a small limit, an epoch leaves as much as providers need to cache anything, and
// a result is cut when it comes, to a share of the limit.
func TestCacheOfASmallLimit(t *testing.T) {
	s, yes := newService(newKeeper()), true
	out := reduced(t, s, Request{Messages: worked(t, 70, 10), Limit: 16_000, PromptCache: &yes})
	if out.Removed == 0 || out.After < 4096 || out.After > leastCached {
		t.Errorf("%d messages removed, %d tokens are left", out.Removed, out.After)
	}
	one := worked(t, 1, 80) // 5,000 characters
	for _, cached := range []bool{false, true} {
		r := Request{Messages: one, Limit: 16_000, PromptCache: &cached}
		if got := strings.Contains(text(reduced(t, s, r).Messages), "[Tool output: "); got != cached {
			t.Errorf("with a cache %v: the result is cut %v", cached, got)
		}
	}
}
