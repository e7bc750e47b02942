package console

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// TestTree: the values of a JSON text come in its order, as they are written; a text that is none, too deep or too large gives no tree.
func TestTree(t *testing.T) {
	root := treeOf(`{"b": [1.50, {"x": null}], "a": "<b>", "c": {}, "d": true}`)
	var got []string
	var walk func(n treeNode)
	walk = func(n treeNode) {
		got = append(got, n.Name+":"+n.Kind+":"+n.Text)
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(*root)
	const want = ":object: b:array: :number:1.50 :object: x:null:null a:string:<b> c:object: d:true:true"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("treeOf = %s, want %s", text, want)
	}
	for name, text := range map[string]string{
		"no JSON": "{", "two values": "1 2", "too deep": strings.Repeat("[", 40) + strings.Repeat("]", 40),
		"too large": "[" + strings.Repeat("1,", mostNodes) + "1]", "nothing": "",
	} {
		if treeOf(text) != nil {
			t.Errorf("%s gives a tree", name)
		}
	}
}

// TestSetOut: an artifact is set out as its kind is read, and as text where a person asks for that.
func TestSetOut(t *testing.T) {
	for _, c := range []struct{ name, media, text, want string }{
		{"JSON", "application/json", `{"a":1}`, "tree"},
		{"separated values", "text/csv", "a,b\n1,2\n", "table"},
		{"one column", "text/csv", "a\n1\n", "lines"},
		{"a log with a stack", "text/plain", "2026 INFO a\n2026 ERROR b\n    at x\n2026 INFO c\n2026 INFO d\n", "log"},
		{"a log without one", "text/plain", "2026 INFO a\n2026 ERROR b\n2026 INFO c\n2026 INFO d\n", "lines"},
		{"indented prose", "text/plain", "Dear all,\n  thanks\nBest\n  Ann\nP. S.\n  more\nend\n", "lines"},
	} {
		for _, view := range []string{"", "text"} {
			p := artifactPage{View: view}
			p.setOut(ctxmcp.Artifact{MediaType: c.media}, artifacts.Slice{Content: c.text}, true)
			got := "lines"
			switch {
			case p.Tree != nil:
				got = "tree"
			case p.Table != nil:
				got = "table"
			case p.Log != nil:
				got = "log"
			}
			want := c.want
			if view == "text" {
				want = "lines"
			}
			if got != want || len(p.Lines) == 0 {
				t.Errorf("%s, view %q: %s of %d lines, want %s", c.name, view, got, len(p.Lines), want)
			}
		}
	}
}

// TestFolded: lines that begin with a space stand under the line before them, and every line is shown once.
func TestFolded(t *testing.T) {
	lines := []artifactLine{{Text: " first"}, {Text: "a"}, {Text: "\tb"}, {Text: " c"}, {Text: "d"}}
	var got []string
	for _, l := range foldedOf(lines) {
		text := l.Text
		for _, r := range l.Rest {
			text += ">" + r.Text
		}
		got = append(got, text)
	}
	if want := " first|a>\tb> c|d"; strings.Join(got, "|") != want {
		t.Errorf("foldedOf = %q, want %q", got, want)
	}
}

// TestGraph: each neighbour is drawn once, with an arrow for each direction, and none beyond the drawing.
func TestGraph(t *testing.T) {
	root := entityRow{ID: "r", Name: "Root"}
	var edges []entityEdge
	for i := range 30 {
		n := entityRow{ID: strings.Repeat("n", i+1), Name: strings.Repeat("name ", i)}
		edges = append(edges, entityEdge{From: root, Predicate: "knows", To: n}, entityEdge{From: n, Predicate: "likes", To: root}, entityEdge{From: root, Predicate: "sees", To: n})
	}
	g := graphOf(root, edges)
	if len(g.Nodes) != mostAround+1 || len(g.Lines) != 2*mostAround || g.More != 30-mostAround {
		t.Errorf("%d nodes, %d lines, %d more", len(g.Nodes), len(g.Lines), g.More)
	}
	for _, n := range g.Nodes {
		if n.X < 0 || n.Y < 0 || n.X+n.Width > g.Width || n.Y+n.Height > g.Height {
			t.Errorf("%+v stands beyond %d by %d", n, g.Width, g.Height)
		}
	}
	if g := graphOf(root, nil); g.Nodes != nil {
		t.Errorf("nobody around gives %+v", g)
	}
}
