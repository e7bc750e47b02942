package ijson

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// TestSortDuring: a list of any length is sorted as slices sorts it, while its context lasts.
func TestSortDuring(t *testing.T) {
	for _, n := range []int{0, 1, 2, sortedAtOnce, sortedAtOnce + 1, 2 * sortedAtOnce, 5*sortedAtOnce - 3, 20_000} {
		list := make([]int, n)
		random := rand.New(rand.NewPCG(7, uint64(n)))
		for i := range list {
			list[i] = random.IntN(n)
		}
		got := slices.Clone(list)
		err := SortDuring(t.Context(), got, cmp.Compare)
		if slices.Sort(list); err != nil || !slices.Equal(got, list) {
			t.Errorf("SortDuring of %d numbers = %v, not in order", n, err)
		}
	}
	canceltest.Law{Bytes: 20_000, Every: sortedAtOnce, Work: func(ctx context.Context) error {
		return SortDuring(ctx, rand.New(rand.NewPCG(7, 7)).Perm(20_000), cmp.Compare)
	}}.Check(t)
}
