package reduce

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// TestNobodyWaits: a reduction ends soon after its context, and nothing is kept of one that was given up.
func TestNobodyWaits(t *testing.T) {
	in := Request{Messages: append(worked(t, 8, 4), worked(t, 9, 110)[18:]...), Target: 900, Model: "claude-sonnet-4-5"}
	size := 0
	for _, m := range in.Messages {
		size += len(m)
	}
	reduced(t, newService(newKeeper()), in) // a count is known afterwards
	canceltest.Law{Bytes: size, Every: 8 << 10, After: 600, Work: func(ctx context.Context) error {
		k := newKeeper()
		_, err := newService(k).Reduce(ctx, caller, place0, in)
		if err != nil && len(k.kept) > 0 {
			t.Errorf("%d artifacts are kept of a reduction that was given up", len(k.kept))
		}
		return cmp.Or(err, ctx.Err()) // artifacts kept already are told, whether or not somebody waits
	}}.Check(t)
}

// TestCorpusStops: a corpus reads, weighs and chooses at most a few lines more after nobody waits.
func TestCorpusStops(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "line %d tells of host-%d\n", i, i)
	}
	segs := []segment{{source: fromResult, text: text.String()}, {source: fromAssistant, text: text.String()}}
	for _, left := range []int{1, 2, 50, 320} {
		looks := 0
		c := newCorpus(func() bool { looks++; return looks >= left }, segs, nil, nil)
		ch := newChooser(c, room{size: 1 << 20, of: func(text string) int { return len(text) }, stays: 1})
		ch.choose()
		if looks != left {
			t.Errorf("after %d looks nobody waits, and it looks %d times", left, looks)
		}
		if most := left * linesOfALook; len(c.lines) > most || len(ch.picks) > most {
			t.Errorf("after %d looks %d lines are read and %d picked, above %d", left, len(c.lines), len(ch.picks), most)
		}
	}
}
