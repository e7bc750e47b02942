package ijson

import (
	"context"
	"slices"
)

// sortedAtOnce is the number of elements that are sorted, or merged, between two looks at the context.
const sortedAtOnce = 1024

// SortDuring sorts a list, of which a caller chooses the length, while ctx lasts. It returns the error of ctx, and the list is in no order
// then. The number of its looks at ctx follows from the length alone.
func SortDuring[E any](ctx context.Context, list []E, compare func(a, b E) int) error {
	if len(list) <= sortedAtOnce {
		slices.SortFunc(list, compare)
		return nil
	}
	for part := range slices.Chunk(list, sortedAtOnce) {
		if err := ctx.Err(); err != nil {
			return err
		}
		slices.SortFunc(part, compare)
	}
	from, to := list, make([]E, len(list))
	for width := sortedAtOnce; width < len(list); width *= 2 {
		for at := 0; at < len(list); at += 2 * width {
			middle, end := min(at+width, len(list)), min(at+2*width, len(list))
			if err := merge(ctx, to[at:end], from[at:middle], from[middle:end], compare); err != nil {
				return err
			}
		}
		from, to = to, from
	}
	copy(list, from)
	return nil
}

// merge puts two sorted lists in order into one that has the length of both.
func merge[E any](ctx context.Context, into, a, b []E, compare func(a, b E) int) error {
	for i := range into {
		if i%sortedAtOnce == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
			into[i], a = a[0], a[1:]
		} else {
			into[i], b = b[0], b[1:]
		}
	}
	return nil
}
