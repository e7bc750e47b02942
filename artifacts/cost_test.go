package artifacts_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// TestCostlyPatterns: a pattern that costs much per byte is given fewer bytes, and the search says where to go on.
func TestCostlyPatterns(t *testing.T) {
	f := newFixture(t)
	a := f.put(t, here, artifacts.Draft{Content: strings.Repeat(strings.Repeat("a", 99)+"\n", 3_500)})
	at, searches := int64(0), 0
	for end := int64(0); end < a.Size && searches < 100; searches++ {
		s := f.read(t, artifacts.Ask{ID: a.ID, Pattern: "(a{0,500}){0,2}b", Offset: at})
		if len(s.Matches) > 0 {
			t.Fatalf("%d matches", len(s.Matches))
		}
		end, at = a.Size, a.Size
		if s.NextOffset != nil {
			end, at = *s.NextOffset, *s.NextOffset
		}
	}
	if searches < 3 || searches == 100 {
		t.Errorf("%d searches went through it all, want several", searches)
	}
	if s := f.read(t, artifacts.Ask{ID: a.ID, Pattern: "^b"}); s.NextOffset != nil {
		t.Errorf("a cheap pattern stops at %d of %d", *s.NextOffset, a.Size)
	}
}

// TestNobodyWaits: a call that reads, searches or keeps an artifact ends soon after its context, and keeps nothing then.
func TestNobodyWaits(t *testing.T) {
	f := newFixture(t)
	text := strings.Repeat("the harbour was quiet\n", 30_000)
	a := f.put(t, here, artifacts.Draft{Content: text})
	for name, ask := range map[string]artifacts.Ask{
		"pattern":        {Pattern: "n[o]pe"},
		"costly pattern": {Pattern: "([a-z ]{0,200}){0,3}Z"},
	} {
		ask.ID = a.ID
		t.Run(name, func(t *testing.T) {
			canceltest.Law{Bytes: 100_000, Every: 64 << 10, Work: func(ctx context.Context) error {
				_, err := f.Read(ctx, ann, here, ask)
				return err
			}}.Check(t)
		})
	}
	n := 0
	canceltest.Law{Bytes: len(text), Every: 64 << 10, After: 60, Work: func(ctx context.Context) error {
		n++
		kept, err := f.Put(ctx, ann, here, artifacts.Draft{Type: "notes", Content: text + strings.Repeat("x", n)})
		if err != nil && kept.Artifact.ID != "" {
			t.Errorf("Put kept %s although nobody waited", kept.Artifact.ID)
		}
		return err
	}}.Check(t)
}
