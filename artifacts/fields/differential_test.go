package fields

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/theory/jsonpath"
)

// A writer writes random documents and paths.
type writer struct{ *rand.Rand }

func (w writer) of(list ...string) string { return list[w.IntN(len(list))] }

func (w writer) document(depth int) string {
	if depth == 0 || w.IntN(4) == 0 {
		return w.of("1", "2", "-1", "0", "true", "null", `"a"`, `"ab"`, `"\u00e9\n"`, `""`, "[]", "{}")
	}
	var parts []string
	if w.IntN(2) == 0 {
		for range w.IntN(4) {
			parts = append(parts, w.document(depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	for _, name := range []string{"a", "b", "c d", `\u00e9'\"`} {
		if w.IntN(2) == 0 {
			parts = append(parts, `"`+name+`": `+w.document(depth-1))
		}
	}
	w.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
	return "{" + strings.Join(parts, " , ") + "}"
}

func (w writer) path(root string, most int) string {
	for range w.IntN(most + 1) {
		root += w.of("", "", " ") + w.of("", "", "..") + "[" + w.picks() + "]"
		if w.IntN(3) == 0 {
			root += w.of(".a", ".b", ".*", "..a", "..*")
		}
	}
	return root
}

func (w writer) picks() string {
	var list []string
	for range 1 + w.IntN(2) {
		list = append(list, w.pick())
	}
	return strings.Join(list, w.of(",", " , "))
}

func (w writer) pick() string {
	switch w.IntN(5) {
	case 0:
		return w.of("'a'", `"b"`, `'c d'`, `'é\'"'`, `"\u0061"`)
	case 1:
		return w.of("0", "1", "-1", "2", "-3")
	case 2:
		return w.of("", "0", "1", "-1", "-3") + ":" + w.of("", "2", "-1", "9") + w.of("", ":", ":2", ":-1", ":0", " : -2")
	case 3:
		return "*"
	}
	return "?" + w.condition(2)
}

func (w writer) single() string {
	return w.of("@", "@", "$") + w.of("", ".a", ".b", "[0]", "['c d']", ".a[1]", "[-1].b")
}

func (w writer) value() string {
	return w.of(w.single(), w.single(), "1", "-1.0e0", "'a'", `"ab"`, "true", "null", "length("+w.single()+")", "count("+w.path("@", 1)+")",
		"value("+w.path("@", 1)+")")
}

func (w writer) condition(depth int) string {
	switch w.IntN(4 + min(depth, 1)*4) {
	case 0:
		return w.value() + w.of("==", " != ") + w.value()
	case 1:
		return w.value() + w.of("<=", " >= ", "<", ">") + w.of("1", "'a'")
	case 2:
		return w.of("", "!") + w.path(w.of("@", "@", "$"), 1)
	case 3:
		return w.of("", "!") + w.of("match", "search") + "(" + w.single() + ", " + w.of("'a'", "'a.?'", "'[a-b]+'", "'.*'", "@.b") + ")"
	case 4, 5:
		return w.condition(depth-1) + w.of(" && ", "||") + w.condition(depth-1)
	}
	return w.of("", "!") + "(" + w.condition(depth-1) + ")"
}

// TestAgainstTheLibrary compares the nodes that the walk selects with those of the library's own evaluator, one by one. The library fails
// on match() and search() of a missing value, and orders objects, arrays and booleans, which RFC 9535 does not; those paths
// are left to other tests.
func TestAgainstTheLibrary(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(9, 5))}
	selected, compared := 0, 0
	for range 12_000 {
		text, path := w.document(3), w.path("$", 3)
		parsed, err := jsonpath.Parse(path)
		if err != nil { // its parser takes no && after !match()
			continue
		}
		var whole any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&whole); err != nil {
			t.Fatal(err)
		}
		want, ok := byLibrary(parsed, whole)
		if !ok {
			continue
		}
		got := byWalk(t, path, text)
		if q := readQuery(path); !ordered(q.segments) {
			slices.Sort(want)
			slices.Sort(got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s of %s (-library +walk):\n%s", path, text, diff)
		}
		compared++
		selected += len(got)
	}
	if compared < 8000 || selected < 4000 {
		t.Errorf("%d paths were compared, %d nodes selected: too few to tell", compared, selected)
	}
}

// byLibrary returns the normalised paths that the library selects; false if it fails.
func byLibrary(p *jsonpath.Path, whole any) (paths []string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for n := range p.SelectLocated(whole).All() {
		paths = append(paths, n.Path.String())
	}
	return paths, true
}

func byWalk(t *testing.T, path, text string) (paths []string) {
	t.Helper()
	m := &meter{ctx: t.Context(), most: maxWork}
	tree, err := newTree(m, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e := &evaluation{meter: m, tree: tree}
	err = e.follow(readQuery(path).segments, 0, func(at int32) error {
		paths = append(paths, "$"+tree.path(at))
		return nil
	})
	if err != nil {
		t.Fatal(fmt.Errorf("%s of %s: %w", path, text, err))
	}
	return paths
}
