package main

import (
	"bytes"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestSite makes the site of this repository: every document has its page, every address on a page leads to a file and a heading of the
// site, and no page runs a script or loads from elsewhere.
func TestSite(t *testing.T) {
	s, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := s.write(out); err != nil {
		t.Fatal(err)
	}
	if len(s.documents) < 30 || len(s.menu) < 3 || len(s.files) < 3 {
		t.Errorf("the site has %d documents, %d groups in its menu and %d files", len(s.documents), len(s.menu), len(s.files))
	}
	pages := pagesIn(t, out)
	for name, p := range pages {
		if p.title == "" {
			t.Errorf("%s has no title", name)
		}
		for _, to := range p.addresses {
			if fault := follow(out, pages, name, to); fault != "" {
				t.Errorf("%s: %s %s", name, to.at, fault)
			}
		}
	}
}

// written is a page as a browser reads it.
type written struct {
	title     string
	ids       []string
	addresses []address
}

type address struct {
	at     string
	loaded bool // by the page itself
}

func pagesIn(t *testing.T, out string) map[string]written {
	t.Helper()
	pages := map[string]written{}
	err := filepath.WalkDir(out, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(file, ".html") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		tree, err := html.Parse(bytes.NewReader(text))
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(out, file)
		pages[filepath.ToSlash(name)] = readPage(t, name, tree)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func readPage(t *testing.T, name string, tree *html.Node) (p written) {
	t.Helper()
	for n := range tree.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{"script", "iframe", "object", "style"}, n.Data) {
			t.Errorf("%s has the element %s", name, n.Data)
		}
		if n.Data == "title" && n.FirstChild != nil && p.title == "" {
			p.title = n.FirstChild.Data
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				p.ids = append(p.ids, a.Val)
			case a.Key == "src" || a.Key == "href":
				p.addresses = append(p.addresses, address{a.Val, n.Data != "a"})
			case strings.HasPrefix(a.Key, "on"):
				t.Errorf("%s has the attribute %s", name, a.Key)
			}
		}
	}
	return p
}

// follow returns why an address on a page leads nowhere; "" if it leads somewhere.
func follow(out string, pages map[string]written, from string, to address) string {
	u, err := url.Parse(to.at)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != "" {
		if to.loaded || u.Scheme != "https" || u.Host == "" {
			return "is no address to link"
		}
		return ""
	}
	name := from
	if u.Path != "" {
		name = path.Join(path.Dir(from), u.Path)
	}
	if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); err != nil {
		return "leads to no file"
	}
	if u.Fragment != "" && !slices.Contains(pages[name].ids, u.Fragment) {
		return "leads to no heading"
	}
	return ""
}

// TestBrokenLinksAreRefused: a repository with a broken link makes no site, and the error names the link.
func TestBrokenLinksAreRefused(t *testing.T) {
	for _, test := range []struct{ name, readme, fault string }{
		{"whole", "# A\n\n[all](docs/README.md#two-words)\n", ""},
		{"a page", "# A\n\n[all](docs/README.md) [b](docs/b.md)\n", "docs/b.md: there is no such file"},
		{"a heading", "# A\n\n[all](docs/README.md#words)\n", "has no such heading"},
		{"a picture", "# A\n\n[all](docs/README.md) ![p](p.png)\n", "p.png: there is no such file"},
		{"out of the repository", "# A\n\n[all](docs/README.md) [b](../b.txt)\n", "../b.txt: there is no such file"},
		{"a page that nothing links", "# A\n", "docs/README.md: nothing that can be reached"},
	} {
		root := t.TempDir()
		for name, text := range map[string]string{"repo/README.md": test.readme, "repo/docs/README.md": "# B\n\n## Two words!\n\n- [A](../README.md)\n", "b.txt": "b"} {
			if err := put(root, name, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := read(filepath.Join(root, "repo"))
		if (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: read = %v, want %q", test.name, err, test.fault)
		}
	}
}

// TestSlugs: the ids of headings are those that GitHub makes.
func TestSlugs(t *testing.T) {
	s := slugs{}
	for _, test := range [][2]string{
		{"Recall", "recall"}, {"Recall", "recall-1"}, {"What it promises, and how well", "what-it-promises-and-how-well"},
		{"Ann's laptop", "anns-laptop"}, {"`ctx-mcp ui`", "ctx-mcp-ui"}, {"Über uns", "über-uns"},
	} {
		if got := string(s.Generate([]byte(test[0]), 0)); got != test[1] {
			t.Errorf("Generate(%q) = %q, want %q", test[0], got, test[1])
		}
	}
}
