package main

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// markdown reads and renders the documents. Their own markup is rendered as it is: they are part of the product.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(html.WithUnsafe()))

// document is one file of Markdown. Its path is relative to the root, with slashes.
type document struct {
	path    string
	text    []byte
	tree    ast.Node
	title   string
	anchors map[string]bool // of its headings
}

func readDocument(root, file string) (*document, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	return parse(file, text), nil
}

func parse(file string, raw []byte) *document {
	d := &document{path: file, text: raw, anchors: map[string]bool{}}
	d.tree = markdown.Parser().Parse(text.NewReader(raw), parser.WithContext(parser.NewContext(parser.WithIDs(slugs{}))))
	for n := d.tree.FirstChild(); n != nil; n = n.NextSibling() {
		h, is := n.(*ast.Heading)
		if !is {
			continue
		}
		if id, has := h.AttributeString("id"); has {
			d.anchors[string(id.([]byte))] = true
		}
		if h.Level == 1 && d.title == "" {
			d.title = plain(h, raw)
		}
	}
	return d
}

// page returns the path of the document's page: README.md becomes index.html.
func (d *document) page() string { return pageOf(d.path) }

func pageOf(file string) string {
	if path.Base(file) == "README.md" {
		return path.Join(path.Dir(file), "index.html")
	}
	return strings.TrimSuffix(file, ".md") + ".html"
}

// plain returns the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, is := n.(*ast.Text); is && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// slugs makes the ids of headings as GitHub does, so that a link works in both places.
type slugs map[string]int

// Generate returns the id of a heading: in lower case, hyphens for spaces, without punctuation; a number tells equal ones apart.
func (s slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
			return r
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(string(value))))
	s[slug]++
	if n := s[slug]; n > 1 {
		slug += "-" + strconv.Itoa(n-1)
	}
	return []byte(slug)
}

// Put notes an id that a document names itself.
func (s slugs) Put(value []byte) { s[string(value)]++ }
