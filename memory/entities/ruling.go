package entities

import (
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Ruling is a decision of a person about entities: by whom, on which authority, when and why.
type Ruling struct {
	By        string
	Authority ctxmcp.Authority
	At        time.Time
	Reason    string
}

// Merge makes an entity one with another, as a review decides of a pending one, or an operator knows. Both are roots. It
// returns CodeConflict if one of them is merged already, CodeInvalid if they cannot be one, and CodeDenied if one stands on
// higher authority than the ruling.
func (k *Known) Merge(id, into string, by Ruling) (Change, error) {
	e, errE := k.root(id)
	target, errT := k.root(into)
	switch {
	case errE != nil:
		return Change{}, errE
	case errT != nil:
		return Change{}, errT
	case e.ID == target.ID:
		return Change{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "an entity is one with itself already")
	case !covers(target.Home, e.Home):
		return Change{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "entity %s is not visible from everywhere in %s", into, orTenant(e.Home)).
			WithHint("merge the other way round: into the one that lives in the wider place")
	}
	return by.replace(e, func(next *Entity) {
		next.State, next.Into, next.Candidates, next.Score = Merged, target.ID, nil, 1
	})
}

// Keep makes a pending entity one of its own. It returns CodeConflict if it is not pending.
func (k *Known) Keep(id string, by Ruling) (Change, error) {
	e, seen := k.nodes[id]
	if !seen {
		return Change{}, unknown()
	}
	if e.State != Pending {
		return Change{}, ctxmcp.Errorf(ctxmcp.CodeConflict, "entity %s does not wait for review: it is %s", id, e.State)
	}
	return by.replace(e, func(next *Entity) { next.State, next.Candidates, next.Score = Canonical, nil, 1 })
}

// Split takes a name, with all that was merged into it, out of the entity that it is one with. It returns CodeConflict if
// it is not merged.
func (k *Known) Split(id string, by Ruling) (Change, error) {
	e, seen := k.nodes[id]
	if !seen {
		return Change{}, unknown()
	}
	if e.State != Merged {
		return Change{}, ctxmcp.Errorf(ctxmcp.CodeConflict, "entity %s is not merged: it is %s", id, e.State).
			WithHint("name the alias that is to stand alone, by its own id")
	}
	return by.replace(e, func(next *Entity) { next.State, next.Into, next.Score = Canonical, "", 1 })
}

// Undo takes the last decision about a node back: a new version restores the state before it, so that the decision
// stays in its history. It returns CodeConflict if nothing was ever decided.
func Undo(versions []Entity, by Ruling) (Change, error) {
	versions = slices.SortedFunc(slices.Values(versions), func(a, b Entity) int { return a.Version - b.Version })
	if len(versions) < 2 {
		return Change{}, ctxmcp.Errorf(ctxmcp.CodeConflict, "there is no decision to take back")
	}
	last, before := versions[len(versions)-1], versions[len(versions)-2]
	if !last.TxEnd.IsZero() {
		return Change{}, ctxmcp.Errorf(ctxmcp.CodeConflict, "entity %s has no open version", last.ID)
	}
	return by.replace(last, func(next *Entity) {
		next.State, next.Into, next.Candidates, next.Score = before.State, before.Into, before.Candidates, before.Score
	})
}

func (k *Known) root(id string) (Entity, error) {
	e, seen := k.nodes[id]
	if !seen {
		return e, unknown()
	}
	if e.State == Merged {
		return e, ctxmcp.Errorf(ctxmcp.CodeConflict, "entity %s is merged into %s", id, e.Into).WithHint("use %s, or split it first", e.Into)
	}
	return e, nil
}

func unknown() error {
	return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no such entity").WithHint("ids come from remember and review")
}

func orTenant(home string) string {
	if home == "" {
		return "the tenant"
	}
	return home
}

// replace ends a version and begins the next one by the ruling. A ruling on less authority than that of the name is
// refused.
func (by Ruling) replace(e Entity, edit func(*Entity)) (Change, error) {
	if e.Authority.Outranks(by.Authority) {
		return Change{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "entity %s is known on higher authority", e.ID).WithHint("ask the user")
	}
	closing, next := successor(e, by.At)
	edit(&next)
	next.By, next.Reason = by.By, by.Reason
	return Change{Close: []Closing{closing}, Insert: []Entity{next}}, nil
}
