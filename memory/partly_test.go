package memory_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestPartly: where a later statement changes a part of an earlier one, a question for that part is answered with the later one first, and a question for
// another part with the earlier one.
func TestPartly(t *testing.T) { scoreAsked(t, "testdata/partly", partlyFloors, t.Logf) }

// TestFrozenPartly: the same of a workshop that was written before the rule, and names no question.
func TestFrozenPartly(t *testing.T) {
	scoreAsked(t, "testdata/partly/frozen", frozenPartlyFloors, func(string, ...any) {})
}

// partlyFloors are as askedFloors.
var partlyFloors = map[string]askedScore{"part": {first: 23, all: 29, shown: 140}, "changed": {first: 28, all: 30, shown: 106}}

// frozenPartlyFloors are those of the workshop that was not looked at.
var frozenPartlyFloors = map[string]askedScore{"part": {first: 11, all: 12, shown: 36}, "changed": {first: 11, all: 11, shown: 50}}

// TestPartTold: the answer to a statement that changes a part of an older one says which part, also where the call is repeated.
func TestPartTold(t *testing.T) {
	s, _ := newService(stores["sqlite"](t))
	tell := func(text, key string) memory.Remembered {
		return remember(t, s, ann, memory.Draft{
			Content: text, IdempotencyKey: key, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: ctxmcp.Scope{User: ann.User, Project: "home"},
		})
	}
	older := tell("The gate code is 4471, and the mooring costs 90 a month.", "")
	for range 2 {
		r := tell("The mooring costs 105 a month now.", "again")
		if len(r.Similar) != 1 || r.Similar[0].ObjectID != older.ObjectID || r.Similar[0].OutdatedPart != "the mooring costs 90 a month" {
			t.Errorf("similar = %+v, want the price of %s", r.Similar, older.ObjectID)
		}
	}
	if r := tell("The boat is blue.", ""); len(r.Similar) > 0 {
		t.Errorf("of another thing: similar = %+v", r.Similar)
	}
}
