package memory_test

import "testing"

// TestPartly: where a later statement changes a part of an earlier one, a question for that part is answered with the later one first, and a question for
// another part with the earlier one.
func TestPartly(t *testing.T) { scoreAsked(t, "testdata/partly", partlyFloors, t.Logf) }

// TestFrozenPartly: the same of a workshop that was written before the rule, and names no question.
func TestFrozenPartly(t *testing.T) {
	scoreAsked(t, "testdata/partly/frozen", frozenPartlyFloors, func(string, ...any) {})
}

// partlyFloors are as askedFloors.
var partlyFloors = map[string]askedScore{"part": {first: 24, all: 29, shown: 139}, "changed": {first: 28, all: 30, shown: 102}}

// frozenPartlyFloors are those of the workshop that was not looked at.
var frozenPartlyFloors = map[string]askedScore{"part": {first: 11, all: 12, shown: 36}, "changed": {first: 11, all: 11, shown: 47}}
