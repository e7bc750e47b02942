// Package later tells how likely a later statement leaves an earlier one behind, for a reader of both: the earlier one told how things were.
//
// It owns the signs of a pair (signs.tsv has their weights): that the words say a change (memory/change), and how much of the matter of either
// statement the other says again, in the same words or in words of the same meaning. Of many statements each earlier one has the later one that
// fits it best. Wish reads what somebody wants done, and tells whether a later one takes it back.
//
// It is pure, and changes nothing: a store is changed by memory/change alone, which is surer and finds less. Nobody's statement gives way
// to one that stands lower, or that another author made.
package later
