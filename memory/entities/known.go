package entities

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Known is the part of the registry around some names, as a view sees it.
type Known struct {
	nodes  map[string]Entity
	groups map[string][]Entity        // root id -> the nodes that are one with it, the root first
	near   map[string]map[string]bool // root id -> roots that memories name together with it
	named  map[string]named           // node id -> its name, as it is compared
}

// NewKnown arranges the answers of a Registry: nodes, and the references of memories that name them together.
func NewKnown(found []Entity, together []Reference) *Known {
	k := &Known{nodes: map[string]Entity{}, near: map[string]map[string]bool{}, named: map[string]named{}}
	for _, e := range found {
		k.nodes[e.ID], k.named[e.ID] = e, newNamed(e.Form, e.Kind, e.Key)
	}
	k.regroup()
	objects := map[string][]string{} // object id -> roots
	for _, r := range together {
		if root, seen := k.Root(r.EntityID); seen {
			objects[r.ObjectID] = append(objects[r.ObjectID], root.ID)
		}
	}
	for _, roots := range objects {
		for _, a := range roots {
			for _, b := range roots {
				if a != b {
					k.link(a, b)
				}
			}
		}
	}
	return k
}

func (k *Known) link(a, b string) {
	if k.near[a] == nil {
		k.near[a] = map[string]bool{}
	}
	k.near[a][b] = true
}

func (k *Known) regroup() {
	k.groups = map[string][]Entity{}
	for _, id := range slices.Sorted(maps.Keys(k.nodes)) {
		root, _ := k.Root(id)
		k.groups[root.ID] = append(k.groups[root.ID], k.nodes[id])
	}
	for root, nodes := range k.groups {
		slices.SortStableFunc(nodes, func(a, b Entity) int {
			return cmp.Or(compareBool(a.ID == root, b.ID == root), Compare(a, b))
		})
	}
}

// compareBool puts true first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// add makes a node known that is being created or replaced.
func (k *Known) add(e Entity) {
	_, held := k.nodes[e.ID]
	k.nodes[e.ID], k.named[e.ID] = e, newNamed(e.Form, e.Kind, e.Key)
	if held {
		k.regroup()
		return
	}
	root, _ := k.Root(e.ID)
	k.groups[root.ID] = append(k.groups[root.ID], e)
}

// Root returns the entity that a node is one with, as far as the view sees it, and whether the node is known.
func (k *Known) Root(id string) (Entity, bool) {
	e, seen := k.nodes[id]
	for range k.nodes {
		up, visible := k.nodes[e.Into]
		if e.State != Merged || !visible {
			break
		}
		e = up
	}
	return e, seen
}

// Names returns the nodes that are one with a node, the canonical one first.
func (k *Known) Names(id string) []Entity {
	root, seen := k.Root(id)
	if !seen {
		return nil
	}
	return k.groups[root.ID]
}

// Roots returns the canonical entities, in order of their ids.
func (k *Known) Roots() []Entity {
	var roots []Entity
	for _, id := range slices.Sorted(maps.Keys(k.groups)) {
		roots = append(roots, k.groups[id][0])
	}
	return roots
}

// Named returns the roots that bear exactly the name, in order of their ids.
func (k *Known) Named(form Form, key string) []Entity {
	var roots []Entity
	for _, id := range slices.Sorted(maps.Keys(k.groups)) {
		if slices.ContainsFunc(k.groups[id], func(e Entity) bool { return e.Form == form && e.Key == key }) {
			roots = append(roots, k.groups[id][0])
		}
	}
	return roots
}

// authority returns the highest authority that any name of the nodes stands on.
func authority(nodes []Entity) ctxmcp.Authority {
	best := nodes[0].Authority
	for _, e := range nodes {
		best = min(best, e.Authority)
	}
	return best
}

// Unsettled returns the mentions that not just one entity bears the very name of, or that waits for review itself.
func (k *Known) Unsettled(mentions []Mention) []Mention {
	var open []Mention
	for _, m := range mentions {
		if roots := k.Named(m.Form, m.Key); len(roots) != 1 || roots[0].State == Pending {
			open = append(open, m)
		}
	}
	return open
}

// Unsure returns the nodes of the entities whose names are like a mention without being the very name, or that share one:
// their neighbours may tell which of them is meant.
func (k *Known) Unsure(mentions []Mention) []string {
	var ids []string
	for _, m := range mentions {
		a := newNamed(m.Form, m.Kind, m.Key)
		for _, root := range slices.Sorted(maps.Keys(k.groups)) {
			like := slices.ContainsFunc(k.groups[root], func(e Entity) bool {
				similarity, _ := compare(a, k.named[e.ID])
				return similarity > 0
			})
			for _, e := range k.groups[root] {
				if like && !slices.Contains(ids, e.ID) {
					ids = append(ids, e.ID)
				}
			}
		}
	}
	return ids
}
