package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	style []byte

	pageForm = template.Must(template.New("page").Parse(pageText))
)

// page is the data of a page's form.
type page struct {
	Title string
	Up    string // the way from the page to the root of the site, "" or "../"
	Menu  []group
	Body  template.HTML
}

// write makes the folder anew, with a page for each document, the style, and the files that documents link.
func (s *site) write(out string) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	for _, d := range s.documents {
		text, err := s.render(d)
		if err != nil {
			return err
		}
		if err := put(out, d.page(), text); err != nil {
			return err
		}
	}
	for name := range s.files {
		text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if err := put(out, name, text); err != nil {
			return err
		}
	}
	return put(out, "style.css", style)
}

func (s *site) render(d *document) ([]byte, error) {
	var body, text bytes.Buffer
	if err := markdown.Renderer().Render(&body, d.text, d.tree); err != nil {
		return nil, err
	}
	p := page{Title: d.title, Up: strings.Repeat("../", strings.Count(d.path, "/")), Body: template.HTML(body.String())}
	for _, g := range s.menu {
		at := group{Title: g.Title}
		for _, l := range g.Links {
			at.Links = append(at.Links, link{l.Title, p.Up + pageOf(l.Path)})
		}
		p.Menu = append(p.Menu, at)
	}
	err := pageForm.Execute(&text, p)
	return text.Bytes(), err
}

func put(out, name string, text []byte) error {
	file := filepath.Join(out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
