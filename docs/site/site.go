package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// index is the document whose lists are the menu of every page.
const index = "docs/README.md"

// site is the documents of a repository, with the files that they show or link.
type site struct {
	root      string
	documents map[string]*document // by path
	files     map[string]bool      // copied as they are
	menu      []group
}

// group is a heading of the index, and the pages below it.
type group struct {
	Title string
	Links []link
}

type link struct{ Title, Path string }

// read reads the documents at the root of the repository and below docs, and checks their links. Its error names each broken one.
func read(root string) (*site, error) {
	s := &site{root: root, documents: map[string]*document{}, files: map[string]bool{}}
	names, err := markdownFiles(root)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if s.documents[name], err = readDocument(root, name); err != nil {
			return nil, err
		}
	}
	if s.documents[index] == nil {
		return nil, fmt.Errorf("there is no %s", index)
	}
	s.menu = menuOf(s.documents[index])
	return s, errors.Join(s.link(), s.reach())
}

func markdownFiles(root string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	})
	for i, name := range names {
		rel, _ := filepath.Rel(root, name) // both are below root
		names[i] = filepath.ToSlash(rel)
	}
	return names, err
}

// link looks for the target of every link and picture, and rewrites those to documents into links to their pages.
func (s *site) link() error {
	var broken []error
	for _, name := range slices.Sorted(maps.Keys(s.documents)) {
		d := s.documents[name]
		_ = ast.Walk(d.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if target := destination(n); entering && target != nil {
				to, err := s.target(d, string(*target))
				if err != nil {
					broken = append(broken, fmt.Errorf("%s: the link to %s: %w", name, *target, err))
				}
				*target = []byte(to)
			}
			return ast.WalkContinue, nil
		})
	}
	return errors.Join(broken...)
}

// destination returns the target of a link or a picture; nil of any other node.
func destination(n ast.Node) *[]byte {
	switch n := n.(type) {
	case *ast.Link:
		return &n.Destination
	case *ast.Image:
		return &n.Destination
	}
	return nil
}

// target returns the target of a link on the page of a document.
func (s *site) target(d *document, to string) (string, error) {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" {
		return to, err
	}
	file := d.path
	if u.Path != "" {
		file = path.Join(path.Dir(d.path), u.Path)
	}
	if other := s.documents[file]; other != nil {
		if u.Fragment != "" && !other.anchors[u.Fragment] {
			return to, fmt.Errorf("%s has no such heading", file)
		}
		if u.Path != "" {
			u.Path = strings.TrimSuffix(u.Path, path.Base(u.Path)) + path.Base(other.page())
		}
		return u.String(), nil
	}
	info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(file)))
	if err != nil || info.IsDir() || strings.HasPrefix(file, "..") {
		return to, errors.New("there is no such file")
	}
	s.files[file] = true
	return to, nil
}

// reach fails for a document that no path of links leads to from the front page.
func (s *site) reach() error {
	seen, next := map[string]bool{"index.html": true}, []string{"index.html"}
	byPage := map[string]*document{}
	for _, d := range s.documents {
		byPage[d.page()] = d
	}
	for len(next) > 0 {
		d := byPage[next[0]]
		next = next[1:]
		if d == nil {
			continue
		}
		_ = ast.Walk(d.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if target := destination(n); entering && target != nil {
				to, _, _ := strings.Cut(string(*target), "#")
				if page := path.Join(path.Dir(d.page()), to); !seen[page] {
					seen[page] = true
					next = append(next, page)
				}
			}
			return ast.WalkContinue, nil
		})
	}
	var lost []error
	for _, name := range slices.Sorted(maps.Keys(s.documents)) {
		if !seen[pageOf(name)] {
			lost = append(lost, fmt.Errorf("%s: nothing that can be reached from README.md links it", name))
		}
	}
	return errors.Join(lost...)
}

// menuOf returns the headings of the second level with the links of the list below each. The paths are those of documents.
func menuOf(d *document) (all []group) {
	for n := d.tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, is := n.(*ast.Heading); is && h.Level == 2 {
			all = append(all, group{Title: plain(h, d.text)})
		}
		if _, is := n.(*ast.List); !is || len(all) == 0 {
			continue
		}
		g := &all[len(all)-1]
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if l, is := n.(*ast.Link); is && entering {
				g.Links = append(g.Links, link{plain(l, d.text), path.Join(path.Dir(d.path), string(l.Destination))})
			}
			return ast.WalkContinue, nil
		})
	}
	return all
}
