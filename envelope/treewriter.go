package envelope

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// leftOut is the member that says what is missing of an object.
const leftOut = "_left_out"

// limits bounds what is written of a tree.
type limits struct {
	items   int // elements of an array
	members int // of an object
	chars   int // bytes of a string
	depth   int
	bytes   int // in all; reached, only what closes the value follows
}

func unlimited() limits {
	return limits{math.MaxInt, math.MaxInt, math.MaxInt, maxDepth, math.MaxInt}
}

// ladder goes from generous limits to tight ones. The structure and the names of members are given up last.
var ladder = []limits{
	{math.MaxInt, math.MaxInt, 2000, maxDepth, math.MaxInt},
	{200, 400, 1000, 32, math.MaxInt},
	{100, 200, 500, 16, math.MaxInt},
	{50, 150, 300, 12, math.MaxInt},
	{25, 100, 200, 10, math.MaxInt},
	{12, 80, 150, 8, math.MaxInt},
	{6, 60, 100, 7, math.MaxInt},
	{3, 40, 80, 6, math.MaxInt},
	{2, 30, 50, 5, math.MaxInt},
	{1, 20, 30, 4, math.MaxInt},
	{1, 12, 20, 2, math.MaxInt},
	{0, 6, 12, 1, math.MaxInt},
}

// write returns the JSON of the tree under the limits, and whether it is whole: over most bytes it breaks off. It ends with a
// line feed for JSON Lines.
func (n *node) write(l limits, most int, shown *bright) (text string, whole bool) {
	w := &treeWriter{limits: l, most: most, shown: shown, pathless: n.pathless}
	w.node(n, "$", 0)
	return w.b.String(), !w.over()
}

// bright says how what is bright is written; nil: as the rest.
type bright struct {
	limits
	need *need
}

// treeWriter writes a tree.
type treeWriter struct {
	limits
	most  int
	shown *bright
	b     bytes.Buffer
	// pathless is that of the root.
	pathless bool
}

func (w *treeWriter) full() bool { return w.b.Len() >= w.bytes }

func (w *treeWriter) over() bool { return w.b.Len() > w.most }

func (w *treeWriter) node(n *node, path string, depth int) {
	if n.bright && w.shown != nil {
		dim := w.limits
		w.limits = w.shown.limits
		defer func() { w.limits = dim }()
	}
	switch {
	case n.kind == scalar:
		w.b.WriteString(n.src)
	case n.kind == stringKind:
		w.string(n.text())
	case depth > w.depth && n.len() > 0 && !n.lit:
		w.note(n.kind == object, fmt.Sprintf("%d left out", n.len())+w.where(path))
	case n.kind == object:
		w.object(n, path, depth)
	default:
		w.array(n, path, depth)
	}
}

func (w *treeWriter) string(text string) {
	most := w.chars
	if w.bytes != math.MaxInt {
		most = min(most, max(0, w.bytes-w.b.Len()))
	}
	if w.shown != nil {
		w.quote(w.shown.need.excerpt(text, most))
		return
	}
	w.quote(clipped(text, most))
}

func (w *treeWriter) quote(text string) {
	raw, _ := ijson.Compact(text) // a string has a form
	w.b.Write(raw)
}

// where names the path of what is left out, where one leads there.
func (w *treeWriter) where(path string) string {
	if w.pathless {
		return ""
	}
	return " (" + path + ")"
}

// note writes, in place of a value, a note of the missing part.
func (w *treeWriter) note(isObject bool, what string) {
	if isObject {
		w.b.WriteString(`{"` + leftOut + `":`)
		w.quote(what)
		w.b.WriteByte('}')
		return
	}
	w.b.WriteByte('[')
	w.quote("… " + what)
	w.b.WriteByte(']')
}

func (w *treeWriter) object(n *node, path string, depth int) {
	w.b.WriteByte('{')
	missing, written := 0, 0
	for i, key := range n.names() {
		if w.over() {
			return
		}
		lit := n.lit && n.children[i] != nil && (n.children[i].lit || n.children[i].bright)
		if !lit && (written >= w.members || i > 0 && w.full() || i == 0 && w.bytes == 0) {
			missing++
			continue
		}
		if !lit {
			written++
		}
		if i-missing > 0 {
			w.b.WriteByte(',')
		}
		w.quote(key)
		w.b.WriteByte(':')
		w.node(n.child(i), path+memberPath(key), depth+1)
	}
	if missing > 0 {
		if missing < len(n.keys) {
			w.b.WriteByte(',')
		}
		w.quote(leftOut)
		w.b.WriteByte(':')
		w.quote(fmt.Sprintf("%d of %d members", missing, len(n.keys)))
	}
	w.b.WriteByte('}')
}

// memberPath writes a name as a segment of a path.
func memberPath(key string) string {
	for i, r := range key {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return "['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(key) + "']"
		}
	}
	if key == "" {
		return "['']"
	}
	return "." + key
}

func (w *treeWriter) array(n *node, path string, depth int) {
	open, separator, end := "[", ",", "]"
	if n.kind == jsonLines {
		open, separator, end = "", "\n", "\n"
	}
	w.b.WriteString(open)
	last := -1
	gap := func(to int) { // says that the elements after last, up to to, are missing
		if last+1 >= to {
			return
		}
		if last >= 0 || w.b.Len() > len(open) && n.kind == jsonLines {
			w.b.WriteString(separator)
		}
		what := fmt.Sprintf("%d of %d left out", to-last-1, n.len()) + w.where(fmt.Sprintf("%s[%d:%d]", path, last+1, to))
		if n.kind == jsonLines {
			w.note(true, what)
		} else {
			w.quote("… " + what)
		}
	}
	for i := range n.sample(w.items) {
		if w.over() {
			return
		}
		if w.full() {
			break
		}
		gap(i)
		if i > 0 {
			w.b.WriteString(separator)
		}
		w.node(n.child(i), path+"["+strconv.Itoa(i)+"]", depth+1)
		last = i
	}
	gap(n.len())
	w.b.WriteString(end)
}
