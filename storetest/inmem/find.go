package inmem

import "slices"

// selected returns copies of those of all that match, in order, at most limit of them; a limit of 0 is none.
func selected[T any](all []T, match func(T) bool, copied func(T) T, order func(a, b T) int, limit int) []T {
	var found []T
	for _, one := range all {
		if match(one) {
			found = append(found, copied(one))
		}
	}
	slices.SortFunc(found, order)
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found
}
