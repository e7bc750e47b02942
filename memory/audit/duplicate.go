package audit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// duplicates compares texts by ctxmcp.Normalize: case, white space and surrounding punctuation aside.
var duplicates = Check{
	Kind:  Duplicate,
	Doc:   "the same text again: keep one",
	begin: func(Options) examiner { return &duplicated{first: map[digest]int{}, pieces: map[digest]bool{}} },
	samples: []sample{
		{[]Record{{ID: "a", Content: "Deploys on  Thursday."}, {ID: "b", Content: "deploys on thursday"}, {ID: "c", Content: "Deploys on Thursday"}},
			[]string{"the same text 3 times: a b c"}},
		{[]Record{{ID: "a", Content: "x y"}, {ID: "b", Content: "x-y"}}, nil},
		{[]Record{{ID: "a", Version: 1, Content: "x y"}, {ID: "b", Version: 1, Content: "x z"}, {ID: "a", Version: 2, Content: "X y"}}, nil},
		{[]Record{{ID: "a", Content: "x", Group: "one"}, {ID: "b", Content: "x", Group: "two"}, {ID: "c", Content: "x", Group: "one", Past: true}}, nil},
	},
}

// digest stands for the normalised text of a record in its group.
type digest [16]byte

func digestOf(parts ...string) digest {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	return digest(sum[:16])
}

func (r *record) digest() digest { return digestOf(r.Group, ctxmcp.Normalize(r.Content)) }

type duplicated struct {
	first  map[digest]int // the place in groups
	groups [][]Place
	pieces map[digest]bool // of one object, which are one memory
}

func (d *duplicated) examine(r *record) {
	if r.Version > 0 {
		piece := digestOf(r.ID, r.Group, ctxmcp.Normalize(r.Content))
		if d.pieces[piece] {
			return
		}
		d.pieces[piece] = true
	}
	key := r.digest()
	at, seen := d.first[key]
	if !seen {
		at = len(d.groups)
		d.first[key] = at
		d.groups = append(d.groups, nil)
	}
	d.groups[at] = append(d.groups[at], r.place)
}

func (d *duplicated) findings(context.Context) ([]Finding, error) {
	var found []Finding
	for _, places := range d.groups {
		if len(places) < 2 {
			continue
		}
		places = slices.Clone(places)
		slices.SortStableFunc(places, comparePlaces)
		found = append(found, Finding{
			Why: fmt.Sprintf("the same text %d times", len(places)), Records: places, weight: float64(len(places)),
		})
	}
	return found, nil
}
