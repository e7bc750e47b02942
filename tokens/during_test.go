package tokens

import (
	"context"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// TestDuring: a count is the same as without a context, ends soon after that, and is not remembered if it was cut short.
func TestDuring(t *testing.T) {
	for _, model := range []string{"gpt-4o", "claude-sonnet-4-5"} {
		for name, unit := range map[string]string{"words": "the harbour was quiet ", "one run": "ab", "digits": "4711"} {
			t.Run(model+"/"+name, func(t *testing.T) {
				text := strings.Repeat(unit, 40_000/len(unit))
				given := For(model).Counter
				c := forgetful(given)
				canceltest.Law{Bytes: len(text), Every: lookEvery, Work: func(ctx context.Context) error {
					_ = During(ctx, forgetful(given)).Count(text)
					return ctx.Err()
				}}.Check(t)
				_ = During(canceltest.EndingAfter(2), c).Count(text)
				if got, want := During(t.Context(), c).Count(text), given.Count(text); got != want {
					t.Errorf("Count during a context = %d, want %d", got, want)
				}
			})
		}
	}
	if got := During(t.Context(), DefaultRatio); got != Bounded(DefaultRatio) {
		t.Errorf("During of a ratio = %v, want the ratio", got)
	}
}

// forgetful returns a counter like c that has counted nothing yet.
func forgetful(c Bounded) Bounded {
	switch c := c.(type) {
	case *Encoding:
		return &Encoding{name: c.name, split: c.split, load: c.load, kept: new(kept)}
	case *estimate:
		return &estimate{name: c.name, weights: c.weights, spread: c.spread, margins: c.margins}
	}
	return c
}
