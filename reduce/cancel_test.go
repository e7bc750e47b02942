package reduce

import (
	"cmp"
	"context"
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
	reduced(t, newService(newKeeper()), in) // what was counted once is known afterwards
	canceltest.Law{Bytes: size, Every: 8 << 10, After: 600, Work: func(ctx context.Context) error {
		k := newKeeper()
		_, err := newService(k).Reduce(ctx, caller, place0, in)
		if err != nil && len(k.kept) > 0 {
			t.Errorf("%d artifacts are kept of a reduction that was given up", len(k.kept))
		}
		return cmp.Or(err, ctx.Err()) // what was kept already is told, whether or not somebody waits
	}}.Check(t)
}
