package console

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// The bounds of what a page sets out; what is larger is shown as the text that it is.
const (
	mostNodes = 4000
	mostDepth = 32
	mostRows  = 500
)

// treeNode is a value of a JSON text with what is in it, in the order of the text.
type treeNode struct {
	Name     string // in an object
	Text     string // of a value that holds none
	Kind     string // object, array, string, number, true, false or null
	Children []treeNode
	Open     bool
}

// treeOf reads a JSON text. It returns nil for one that is none, or that is too large or too deep for a page.
func treeOf(text string) *treeNode {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	r := treeReader{d, mostNodes}
	root, ok := r.value(0)
	if _, err := d.Token(); !ok || err != io.EOF {
		return nil
	}
	return &root
}

// treeReader reads values until there are too many.
type treeReader struct {
	*json.Decoder
	left int
}

func (r *treeReader) value(depth int) (treeNode, bool) {
	token, err := r.Token()
	if r.left--; err != nil || r.left < 0 || depth > mostDepth {
		return treeNode{}, false
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' || v == '[' {
			return r.inside(v == '{', depth)
		}
		return treeNode{}, false
	case string:
		return treeNode{Text: v, Kind: "string"}, true
	case json.Number:
		return treeNode{Text: v.String(), Kind: "number"}, true
	case bool:
		if v {
			return treeNode{Text: "true", Kind: "true"}, true
		}
		return treeNode{Text: "false", Kind: "false"}, true
	}
	return treeNode{Text: "null", Kind: "null"}, true
}

// inside reads the rest of an object or an array.
func (r *treeReader) inside(object bool, depth int) (treeNode, bool) {
	node := treeNode{Kind: "array", Open: depth < 2}
	if object {
		node.Kind = "object"
	}
	for r.More() {
		name := ""
		if object {
			token, err := r.Token()
			text, is := token.(string)
			if err != nil || !is {
				return node, false
			}
			name = text
		}
		child, ok := r.value(depth + 1)
		if !ok {
			return node, false
		}
		child.Name = name
		node.Children = append(node.Children, child)
	}
	_, err := r.Token()
	return node, err == nil
}

// Size says how much is in an object or an array.
func (n treeNode) Size() string {
	if n.Kind == "array" {
		return plural(len(n.Children), "entry")
	}
	return plural(len(n.Children), "field")
}

// Gist is the beginning of a closed object, so that those of a list are told apart; empty where it stands open.
func (n treeNode) Gist() string {
	if n.Open || n.Kind != "object" {
		return ""
	}
	var parts []string
	for _, c := range n.Children {
		if len(c.Children) == 0 && c.Kind != "object" && c.Kind != "array" {
			parts = append(parts, c.Name+" "+c.Text)
		}
	}
	return ctxmcp.Clip(strings.Join(parts, ", "), 80)
}

// sheet is a text of separated values.
type sheet struct {
	Head []string
	Rows [][]string
	More int // rows that have no room
}

// sheetOf reads separated values. It returns nil for a text that is not at least two columns of them.
func sheetOf(text string, comma rune) *sheet {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = comma
	rows, err := r.ReadAll()
	if err != nil || len(rows) < 2 || len(rows[0]) < 2 {
		return nil
	}
	s := &sheet{Head: rows[0], Rows: rows[1:min(len(rows), mostRows+1)]}
	s.More = len(rows) - 1 - len(s.Rows)
	return s
}

// logLine is a line with the lines that belong to it: those behind it that begin with a space, as those of a stack do.
type logLine struct {
	artifactLine
	Rest []artifactLine
}

// foldedOf puts lines under those that they belong to. It returns nil where no line belongs to another.
func foldedOf(lines []artifactLine) []logLine {
	var all []logLine
	folded := false
	for _, line := range lines {
		inner := strings.HasPrefix(line.Text, " ") || strings.HasPrefix(line.Text, "\t")
		if inner && len(all) > 0 {
			last := &all[len(all)-1]
			last.Rest = append(last.Rest, line)
			folded = true
			continue
		}
		all = append(all, logLine{artifactLine: line})
	}
	if !folded {
		return nil
	}
	return all
}

// setOut shows a stretch as its kind is read: a tree, a table, a log whose stacks are folded, or lines.
func (p *artifactPage) setOut(a ctxmcp.Artifact, s artifacts.Slice, whole bool) {
	p.Lines = linesOf(a, s, whole)
	if s.Encoding != "" || p.View == "text" {
		return
	}
	media := a.MediaType
	switch {
	case whole && strings.Contains(media, "json"):
		p.Tree = treeOf(s.Content)
	case whole && strings.Contains(media, "tab-separated"):
		p.Table = sheetOf(s.Content, '\t')
	case whole && strings.Contains(media, "csv"):
		p.Table = sheetOf(s.Content, ',')
	case isLog(p.Lines):
		p.Log = foldedOf(p.Lines)
	}
}

// levels are the words with which a line of a log may begin.
var levels = []string{"[", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"}

// isLog reports whether most of the first lines that do not belong to another begin with a digit or a level, as those of a log do.
func isLog(lines []artifactLine) bool {
	seen, like := 0, 0
	for _, line := range lines[:min(len(lines), 60)] {
		if line.Text == "" || line.Text[0] == ' ' || line.Text[0] == '\t' {
			continue
		}
		seen++
		leveled := slices.ContainsFunc(levels, func(level string) bool { return strings.HasPrefix(line.Text, level) })
		if leveled || line.Text[0] >= '0' && line.Text[0] <= '9' {
			like++
		}
	}
	return seen > 3 && like*3 > seen*2
}
