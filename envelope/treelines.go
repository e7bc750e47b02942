package envelope

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

const (
	mostLeaves   = 200_000 // values of a tree that are weighed one by one
	mostUnasked  = 2 << 20 // bytes of a tree, of which more is not weighed where nothing is asked
	longestLeaf  = 4000    // bytes of a string that are weighed
	leastUnasked = 1.0     // that a value stands out, for it to be shown before others
	leastAsked   = 0.3     // of the best answer, for a value to be shown before others
	mostUnits    = 400
	mostNaming   = 8 // members that name a record
)

// treeLines is a tree by its values, a line each, so that they are weighed as the lines of a text are.
type treeLines struct {
	*lined
	nodes  []*node
	naming map[*node][]*node // the members that name an object, as far as asked for
}

// weigh returns the parts of a tree that are to be shown before others, the best first: records that are short, and else values with what
// names their record.
func (w *wrapping) weigh(tree *node) []unit {
	if w.need() == nil && len(w.text) > mostUnasked {
		return nil
	}
	t := &treeLines{naming: map[*node][]*node{}, lined: &lined{
		wrapping: w, watch: watching(w.ctx), need: w.need(), outline: &outline{},
		shape: shape{series: true},
	}}
	t.word = t.wordOf
	t.add(tree, "", -1, -1, 0)
	if len(t.all) > mostLeaves || t.watch.over(0) {
		return nil
	}
	t.score()
	return t.units()
}

// add adds a node below the line with the number parent; record is the line of the object that it is a member of.
func (t *treeLines) add(n *node, key string, parent, record, depth int) {
	if len(t.all) > mostLeaves || t.watch.over(len(key)+1) {
		return
	}
	text, rank := key, plain
	switch {
	case n.kind == stringKind:
		said := n.text()
		text = key + ": " + first(said, longestLeaf)
		if len(n.src) < longestRemark && failureWord.MatchString(said) || n.fails(key) {
			rank = vital
		}
	case n.kind == scalar:
		text = key + ": " + n.src
		if n.fails(key) {
			rank = vital
		}
	}
	line := len(t.all)
	t.all, t.nodes, t.ranks = append(t.all, text), append(t.nodes, n), append(t.ranks, rank)
	t.outline.parent = append(t.outline.parent, parent)
	t.outline.end = append(t.outline.end, line+1)
	t.outline.paragraph = append(t.outline.paragraph, max(record, 0))
	if depth >= maxDepth {
		return
	}
	switch n.kind {
	case object:
		for i, name := range n.names() {
			t.add(n.child(i), name, line, line, depth+1)
		}
	case array, jsonLines:
		for i := range n.len() {
			t.add(n.child(i), key, line, record, depth+1)
		}
	}
	t.outline.end[line] = len(t.all)
}

// longestKind is how many bytes a value has that can be one of a few kinds.
const longestKind = 60

// wordOf returns the key and the value of a short string, and of true, false and null.
func (t *treeLines) wordOf(line int) (label, word string) {
	n := t.nodes[line]
	if n.kind != stringKind && n.kind != scalar || len(n.src) > longestKind || n.kind == scalar && (n.src[0] == '-' || letterClass(n.src[0]) == digits) {
		return "", ""
	}
	label, _, _ = strings.Cut(t.all[line], ": ")
	return label, n.src
}

// unit is a part of a tree that is shown as one.
type unit struct {
	nodes []*node // that are shown whole
	above []*node // that they stand in
}

// units returns the units of the values that are worth the most.
func (t *treeLines) units() []unit {
	least := leastUnasked
	if t.need != nil {
		least = max(leastUnasked, leastAsked*slices.Max(t.scores))
	}
	var order []int
	for i, s := range t.scores {
		if s >= least {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.scores[b], t.scores[a]) })
	var list []unit
	taken := map[int]bool{}
	for _, i := range order {
		if at := t.recordOf(i); !taken[at] && len(list) < mostUnits {
			taken[at] = true
			list = append(list, t.unit(at))
		}
	}
	return list
}

// recordOf returns the line of the largest object around a value that is still short, or the value's own.
func (t *treeLines) recordOf(i int) int {
	at := i
	for up := t.outline.parent[i]; up >= 0 && len(t.nodes[up].src) <= t.shortRecord(); up = t.outline.parent[up] {
		if t.nodes[up].kind == object {
			at = up
		}
	}
	return at
}

// shortRecord is how many bytes a record has at most that is shown whole: a sixth of the room.
func (t *treeLines) shortRecord() int { return max(160, t.room()*4/6) }

// names are the members that say which record one is.
var namesRecord = language.NewPattern(`(?i)^(id|key|name|title|subject|label|url|uri|link|href|path|file|date|time|timestamp|ts|at)$`)

// unit returns the unit of a line: the value with those beside it that name its record, and of the records around it.
func (t *treeLines) unit(line int) unit {
	u := unit{nodes: []*node{t.nodes[line]}}
	for up := t.outline.parent[line]; up >= 0; up = t.outline.parent[up] {
		n := t.nodes[up]
		u.above = append(u.above, n)
		u.nodes = append(u.nodes, t.namingOf(n)...)
	}
	return u
}

// namingOf returns the members of an object that say which one it is.
func (t *treeLines) namingOf(n *node) []*node {
	if n.kind != object {
		return nil
	}
	found, known := t.naming[n]
	if known {
		return found
	}
	for i, key := range n.names() {
		if c := n.child(i); (c.kind == scalar || c.kind == stringKind) && len(c.src) <= 200 && namesRecord.MatchString(key) && len(found) < mostNaming {
			found = append(found, c)
		}
	}
	t.naming[n] = found
	return found
}

// light marks the first units as those that are shown, and no others.
func light(units []unit, most int) {
	for _, u := range units {
		for _, n := range u.nodes {
			n.bright = false
		}
		for _, n := range u.above {
			n.lit = false
		}
	}
	for _, u := range units[:most] {
		for _, n := range u.nodes {
			n.bright = true
		}
		for _, n := range u.above {
			n.lit = true
		}
	}
}
