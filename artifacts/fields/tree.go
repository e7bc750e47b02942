package fields

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/theory/jsonpath/spec"

	"github.com/ctx-mcp/ctx-mcp"
)

// A tree is where the values of a JSON text stand, in their order, a value before those in it. It takes a few times less
// room than the values themselves would.
type tree struct {
	src   []byte
	nodes []place
}

// place is a value: its bytes, its name if it is a member, and its neighbours.
type place struct {
	start, end uint32
	name       uint32 // where the name begins, with its quote; 0: an element, or the root
	parent     int32
	next       int32 // behind it and all that is in it
	ord        int32 // among the values of its parent
}

// newTree returns the tree of a JSON text that is known to be valid.
func newTree(m *meter, src []byte) (*tree, error) {
	t := &tree{src: src, nodes: make([]place, 0, atMost(src))}
	var open []int32 // the objects and arrays around the place
	name := uint32(0)
	var counts []int32
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case strings.IndexByte(" \t\r\n,:", c) >= 0:
			i++
			continue
		case c == '}' || c == ']':
			i++
			at := open[len(open)-1]
			t.nodes[at].end, t.nodes[at].next = uint32(i), int32(len(t.nodes))
			open, counts = open[:len(open)-1], counts[:len(counts)-1]
			continue
		case c == '"' && name == 0 && len(open) > 0 && src[t.nodes[open[len(open)-1]].start] == '{':
			name = uint32(i)
			i = stringEnd(src, i)
			continue
		}
		if len(t.nodes) == maxValues {
			return nil, ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the path has to hold more than %d values", maxValues).
				WithHint("name the members on the way before the filter, the slice or the .., such as $.items[0].parts[?@.n > 1]")
		}
		if err := m.spend(len(t.nodes) & 1); err != nil { // half a unit each
			return nil, err
		}
		at := int32(len(t.nodes))
		n := place{start: uint32(i), name: name, parent: -1, next: at + 1}
		if len(open) > 0 {
			n.parent, n.ord = open[len(open)-1], counts[len(counts)-1]
			counts[len(counts)-1]++
		}
		name = 0
		switch c {
		case '{', '[':
			open, counts = append(open, at), append(counts, 0)
			i++
		case '"':
			i = stringEnd(src, i)
		default:
			i = scalarEnd(src, i)
		}
		n.end = uint32(i)
		t.nodes = append(t.nodes, n)
	}
	return t, nil
}

// atMost returns how many values a text can hold, at most, or the most that a tree can.
func atMost(src []byte) int {
	n := 1
	for _, sign := range []string{",", "[", "{"} {
		n += bytes.Count(src, []byte(sign))
	}
	return min(n, maxValues)
}

func stringEnd(src []byte, i int) int {
	for i++; src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func scalarEnd(src []byte, i int) int {
	for i < len(src) && strings.IndexByte(" \t\r\n,:]}", src[i]) < 0 {
		i++
	}
	return i
}

// kind returns the first byte of a value, which tells its type.
func (t *tree) kind(at int32) byte { return t.src[t.nodes[at].start] }

// raw returns the JSON of a value.
func (t *tree) raw(at int32) []byte { return t.src[t.nodes[at].start:t.nodes[at].end] }

// children calls do for every value of an object or an array, in their order, until it returns an error.
func (t *tree) children(at int32, do func(child int32) error) error {
	for c := at + 1; c < t.nodes[at].next; c = t.nodes[c].next {
		if err := do(c); err != nil {
			return err
		}
	}
	return nil
}

// count returns the number of values that are in an object or an array.
func (t *tree) count(m *meter, at int32) (n int, err error) {
	err = t.children(at, func(int32) error { n++; return m.spend(1) })
	return n, err
}

// nameOf returns the name of a member.
func (t *tree) nameOf(at int32) string {
	start := int(t.nodes[at].name)
	return unquoted(t.src[start:stringEnd(t.src, start)])
}

// named reports whether the member has the name.
func (t *tree) named(at int32, name string) bool {
	start := int(t.nodes[at].name) + 1
	if end := start + len(name); end < len(t.src) && t.src[end] == '"' && string(t.src[start:end]) == name {
		return strings.IndexByte(name, '\\') < 0
	}
	end := stringEnd(t.src, start-1)
	return slices.Contains(t.src[start:end], '\\') && unquoted(t.src[start-1:end]) == name
}

// unquoted returns the text of a string of JSON.
func unquoted(src []byte) string {
	if !slices.Contains(src, '\\') {
		return string(src[1 : len(src)-1])
	}
	var text string
	_ = json.Unmarshal(src, &text) // it is known to be valid
	return text
}

// path returns where a value stands below the root, normalised: "" for the root itself.
func (t *tree) path(at int32) string {
	var steps []string
	for ; t.nodes[at].parent >= 0; at = t.nodes[at].parent {
		if t.nodes[at].name > 0 {
			steps = append(steps, spec.Normalized(spec.Name(t.nameOf(at))).String()[1:])
		} else {
			steps = append(steps, "["+strconv.Itoa(int(t.nodes[at].ord))+"]")
		}
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

// ranks returns the place of every value when the members of each object stand in the order of their names.
func (t *tree) ranks(m *meter) ([]int32, error) {
	rank := make([]int32, len(t.nodes))
	next := int32(0)
	for stack := []int32{0}; len(stack) > 0; next++ {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		rank[at] = next
		from := len(stack)
		if err := t.children(at, func(c int32) error { stack = append(stack, c); return m.spend(1) }); err != nil {
			return nil, err
		}
		if some := stack[from:]; t.kind(at) == '{' {
			slices.SortStableFunc(some, func(a, b int32) int { return strings.Compare(t.nameOf(a), t.nameOf(b)) })
		}
		slices.Reverse(stack[from:])
	}
	return rank, nil
}

// sort puts values in the order of their normalised paths: members by their names, elements by their place.
func (t *tree) sort(m *meter, some []int32) error {
	rank, err := t.ranks(m)
	if err != nil {
		return err
	}
	slices.SortStableFunc(some, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
	return nil
}
