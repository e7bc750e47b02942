package ijson

import (
	"bytes"
	"context"
	"sync"
)

// tree holds where the values of a text of well-formed I-JSON stand, the members of objects in the order of RFC 8785: to write a text in that form
// needs no value of it.
type tree struct {
	decoder
	nodes []node
	open  []int32 // the children so far of what is being read, by their places in nodes
}

// node is a value.
type node struct {
	name        []byte // without quotes and escapes
	begin, end  int32  // in the text
	first, next int32  // the places of the first child and of the next sibling; 0: there is none, since the root is nobody's
}

// bytesOfValue is less than a value takes with its name, on average.
const bytesOfValue = 16

// lent has memory for nodes, which is of use to one text after the other; mostLent bounds how many stand in a piece of it.
var lent sync.Pool

const mostLent = 1 << 16

// lend returns memory for so many nodes.
func lend(n int) []node {
	if held, ok := lent.Get().(*[]node); ok && cap(*held) >= n {
		return (*held)[:0]
	}
	return make([]node, 0, n)
}

// giveBack lets go of the nodes, which name parts of a text.
func giveBack(nodes []node) {
	if cap(nodes) > mostLent {
		return
	}
	clear(nodes)
	lent.Put(&nodes)
}

// arrange returns the canonical form of a text that Check has no fault to find with.
func arrange(ctx context.Context, text []byte) ([]byte, error) {
	t := tree{decoder: decoder{ctx: ctx, text: text}, nodes: lend(len(text)/bytesOfValue + 1)}
	defer func() { giveBack(t.nodes) }()
	root, err := t.read()
	if err != nil {
		return nil, err
	}
	w := canonicalWriter{ctx: ctx, out: make([]byte, 0, len(text))}
	if err := t.write(&w, root); err != nil {
		return nil, err
	}
	return w.out, nil
}

// read reads the next value with all that it holds, and returns its place.
func (t *tree) read() (int32, error) {
	if err := t.look(); err != nil {
		return 0, err
	}
	t.at = afterSpace(t.text, t.at)
	place, begin, before := int32(len(t.nodes)), t.at, len(t.open)
	t.nodes = append(t.nodes, node{begin: int32(begin)})
	var err error
	switch t.text[begin] {
	case '{':
		err = t.members(before)
	case '[':
		err = t.elements()
	case '"':
		t.at = endOfString(t.text, begin+1) + 1
	default:
		t.at = endOfValue(t.text, begin)
	}
	if err != nil {
		return 0, err
	}
	link := &t.nodes[place].first
	for _, child := range t.open[before:] {
		*link = child
		link = &t.nodes[child].next
	}
	t.open = t.open[:before]
	t.nodes[place].end = int32(t.at)
	return place, nil
}

func (t *tree) elements() error {
	for t.at++; t.more(']'); {
		child, err := t.read()
		if err != nil {
			return err
		}
		t.open = append(t.open, child)
	}
	return nil
}

// members reads the members of an object, and brings them in order; those of what is around it stand before theirs in open.
func (t *tree) members(before int) error {
	for t.at++; t.more('}'); {
		name, err := t.name()
		if err != nil {
			return err
		}
		t.at = afterSpace(t.text, t.at) + 1 // behind the colon
		child, err := t.read()
		if err != nil {
			return err
		}
		t.nodes[child].name = name
		t.open = append(t.open, child)
	}
	own := t.open[before:]
	if err := SortDuring(t.ctx, own, func(a, b int32) int { return compareNames(t.nodes[a].name, t.nodes[b].name) }); err != nil {
		return err
	}
	for i := 1; i < len(own); i++ {
		if bytes.Equal(t.nodes[own[i-1]].name, t.nodes[own[i]].name) {
			return errTwice
		}
	}
	return nil
}

// name reads the name of a member.
func (t *tree) name() ([]byte, error) {
	begin := t.at
	t.at = endOfString(t.text, begin+1) + 1
	quoted := t.text[begin:t.at]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	name, err := Unquote(quoted)
	return []byte(name), err
}

// write writes the value at a place.
func (t *tree) write(w *canonicalWriter, place int32) error {
	if err := w.look(); err != nil {
		return err
	}
	n := &t.nodes[place]
	switch raw := t.text[n.begin:n.end]; raw[0] {
	case '{', '[':
		w.out = append(w.out, raw[0])
		for child := n.first; child > 0; child = t.nodes[child].next {
			if child != n.first {
				w.out = append(w.out, ',')
			}
			if raw[0] == '{' {
				w.out = append(appendQuoted(w.out, t.nodes[child].name), ':')
			}
			if err := t.write(w, child); err != nil {
				return err
			}
		}
		w.out = append(w.out, raw[0]+2) // ] and } stand two behind [ and {
	case '"':
		return w.quoted(raw)
	case 't', 'f', 'n':
		w.out = append(w.out, raw...)
	default:
		return w.number(string(raw))
	}
	return nil
}

// quoted writes a string that stands in JSON.
func (w *canonicalWriter) quoted(raw []byte) error {
	if bytes.IndexByte(raw, '\\') < 0 {
		w.out = append(w.out, raw...)
		return nil
	}
	text, err := Unquote(raw)
	w.out = appendQuoted(w.out, text)
	return err
}
