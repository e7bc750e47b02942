package ctxmcp

import "slices"

// Listing brings what a store has found into an order, or from its end where the newest are asked for, and cuts it at a limit; zero is
// none. It changes found.
func Listing[T any](found []T, order func(a, b T) int, newest bool, limit int) []T {
	slices.SortFunc(found, order)
	if newest {
		slices.Reverse(found)
	}
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found
}
