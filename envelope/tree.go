package envelope

import "strings"

// node is a JSON value. It is read where it stands, one level at a time and when asked: of a large value most is never
// looked at.
type node struct {
	kind     nodeKind
	watch    *watch   // over what is read; once it is over nodes have no members
	src      string   // the value as it is written; valid JSON
	opened   bool     // keys and children are known
	keys     []string // of an object
	parts    []string // the members as they are written; nil if the node was put together
	children []*node  // nil where not asked for
	failures []int    // which elements speak of a failure; nil if not asked for
	said     *string  // the text of a string; nil if not asked for
	bright   bool     // shown before others
	lit      bool     // something in it is
	pathless bool     // of a root: no path leads into the artifact, which holds other parts too
}

type nodeKind int

const (
	scalar nodeKind = iota
	stringKind
	object
	array
	jsonLines // the records of JSON Lines
)

// maxDepth is how deep a value is looked into.
const maxDepth = 64

// readJSON reads a text that is known to be valid: one value, or the records of JSON Lines.
func readJSON(w *watch, text string) *node {
	text = strings.TrimSpace(text)
	if end := valueEnd(text, 0); end == len(text) {
		return nodeOf(w, text)
	}
	return &node{kind: jsonLines, watch: w, src: text}
}

func nodeOf(w *watch, src string) *node {
	n := &node{kind: scalar, watch: w, src: src}
	switch src[0] {
	case '{':
		n.kind = object
	case '[':
		n.kind = array
	case '"':
		n.kind = stringKind
	}
	return n
}

// len returns the number of members.
func (n *node) len() int {
	n.open()
	return len(n.children)
}

// child returns a member.
func (n *node) child(i int) *node {
	n.open()
	if n.children[i] == nil {
		n.children[i] = nodeOf(n.watch, n.parts[i])
	}
	return n.children[i]
}

// text returns what a string says.
func (n *node) text() string {
	if n.said == nil {
		text := unquote(n.src)
		n.said = &text
	}
	return *n.said
}

// names returns the keys of an object.
func (n *node) names() []string {
	n.open()
	return n.keys
}

// open finds the members.
func (n *node) open() {
	if n.opened {
		return
	}
	n.opened = true
	body := n.src
	switch n.kind {
	case object, array:
		body = n.src[1 : len(n.src)-1]
	case jsonLines:
	default:
		return
	}
	for i := between(body, 0); i < len(body); i = between(body, i) {
		if n.kind == object {
			end := valueEnd(body, i)
			n.keys = append(n.keys, unquote(body[i:end]))
			i = between(body, end)
		}
		end := valueEnd(body, i)
		n.parts = append(n.parts, body[i:end])
		if end == i || n.watch.over(end-i+1) { // text that is no JSON gives no value
			n.keys, n.parts = nil, nil
			break
		}
		i = end
	}
	n.children = make([]*node, len(n.parts))
}

// of returns a node of the same kind that is put together of some members; nil if there are none.
func (n *node) of(keys []string, children []*node) *node {
	if len(children) == 0 {
		return nil
	}
	return &node{kind: n.kind, watch: n.watch, opened: true, keys: keys, children: children}
}

// only returns the named members of an object, or of each record; nil if there are none.
func (n *node) only(names map[string]bool) *node {
	var keys []string
	var kept []*node
	for i := range n.len() {
		switch {
		case n.kind == object && names[n.keys[i]]:
			keys, kept = append(keys, n.keys[i]), append(kept, n.child(i))
		case n.kind != object && n.child(i).kind == object:
			if record := n.child(i).only(names); record != nil {
				kept = append(kept, record)
			}
		}
	}
	return n.of(keys, kept)
}

// within returns what is left when everything goes but the named members, down to a depth; nil if there are none.
func (n *node) within(names map[string]bool, depth int) *node {
	if depth == 0 {
		return nil
	}
	var keys []string
	var kept []*node
	for i := range n.len() {
		part := n.child(i)
		if n.kind != object || !names[n.keys[i]] {
			if part = part.within(names, depth-1); part == nil {
				continue
			}
		}
		if n.kind == object {
			keys = append(keys, n.keys[i])
		}
		kept = append(kept, part)
	}
	return n.of(keys, kept)
}

// typeNames are the words of a summary.
var typeNames = map[nodeKind]string{scalar: "scalar", stringKind: "string", object: "object", array: "array", jsonLines: "json_lines"}

// summary says what the value is, with at most most names.
func (n *node) summary(most int) map[string]any {
	s := map[string]any{"type": typeNames[n.kind]}
	switch n.kind {
	case object:
		s["key_count"] = n.len()
		s["keys"] = append([]string{}, n.keys[:min(most, n.len())]...)
	case array, jsonLines:
		s["count"] = n.len()
		for i := range n.len() {
			if c := n.child(i); c.kind == object {
				s["item_keys"] = append([]string{}, c.names()[:min((most+1)/2, c.len())]...)
				break
			}
		}
	}
	return s
}
