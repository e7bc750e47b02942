package envelope

import (
	"encoding/json"
	"io"
	"strings"
)

// node is a JSON value with its members in their order and its scalars as they were written.
type node struct {
	kind     nodeKind
	raw      string   // of a scalar
	text     string   // of a string, decoded
	keys     []string // of an object
	children []*node
	records  []bool // nil, or which elements speak of a failure
}

type nodeKind int

const (
	scalar nodeKind = iota
	stringKind
	object
	array
	jsonLines // the records of JSON Lines
)

// maxDepth is how deep a value may nest before it is taken as text.
const maxDepth = 1000

// parseJSON reads one value, or the records of JSON Lines.
func parseJSON(text string) (*node, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	n, err := readNode(d, 0)
	if err != nil {
		return nil, err
	}
	lines := &node{kind: jsonLines, children: []*node{n}}
	for {
		next, err := readNode(d, 0)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		lines.children = append(lines.children, next)
	}
	if len(lines.children) == 1 {
		return n, nil
	}
	return lines, nil
}

func readNode(d *json.Decoder, depth int) (*node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	switch v := t.(type) {
	case json.Delim:
		return readChildren(d, v, depth)
	case string:
		return &node{kind: stringKind, text: v}, nil
	case json.Number:
		return &node{raw: v.String()}, nil
	case bool:
		if v {
			return &node{raw: "true"}, nil
		}
		return &node{raw: "false"}, nil
	}
	return &node{raw: "null"}, nil
}

func readChildren(d *json.Decoder, open json.Delim, depth int) (*node, error) {
	n := &node{kind: array}
	if open == '{' {
		n.kind = object
	}
	for d.More() {
		if n.kind == object {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			n.keys = append(n.keys, key.(string)) // the decoder accepts nothing else here
		}
		child, err := readNode(d, depth+1)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	_, err := d.Token()
	return n, err
}

// only returns the named members of an object, or of each record; nil if there are none.
func (n *node) only(names map[string]bool) *node {
	kept := &node{kind: n.kind}
	for i, c := range n.children {
		switch {
		case n.kind == object && names[n.keys[i]]:
			kept.keys, kept.children = append(kept.keys, n.keys[i]), append(kept.children, c)
		case n.kind != object && c.kind == object:
			if record := c.only(names); record != nil {
				kept.children = append(kept.children, record)
			}
		}
	}
	if len(kept.children) == 0 {
		return nil
	}
	return kept
}

// within returns what is left when everything goes but the named members, wherever they are; nil if there are none.
func (n *node) within(names map[string]bool) *node {
	kept := &node{kind: n.kind}
	for i, c := range n.children {
		part := c
		if n.kind != object || !names[n.keys[i]] {
			if part = c.within(names); part == nil {
				continue
			}
		}
		if n.kind == object {
			kept.keys = append(kept.keys, n.keys[i])
		}
		kept.children = append(kept.children, part)
	}
	if len(kept.children) == 0 {
		return nil
	}
	return kept
}

// typeNames are the words of a summary.
var typeNames = map[nodeKind]string{scalar: "scalar", stringKind: "string", object: "object", array: "array", jsonLines: "json_lines"}

// summary says what the value is, with at most most names.
func (n *node) summary(most int) map[string]any {
	s := map[string]any{"type": typeNames[n.kind]}
	switch n.kind {
	case object:
		s["key_count"] = len(n.keys)
		s["keys"] = append([]string{}, n.keys[:min(most, len(n.keys))]...)
	case array, jsonLines:
		s["count"] = len(n.children)
		for _, c := range n.children {
			if c.kind == object {
				s["item_keys"] = append([]string{}, c.keys[:min((most+1)/2, len(c.keys))]...)
				break
			}
		}
	}
	return s
}
