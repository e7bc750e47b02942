package inmem

// selected returns copies of those of all that match, as sorted brings them into order and cuts them.
func selected[T any](all []T, match func(T) bool, copied func(T) T, sorted func([]T) []T) []T {
	var found []T
	for _, one := range all {
		if match(one) {
			found = append(found, copied(one))
		}
	}
	return sorted(found)
}
