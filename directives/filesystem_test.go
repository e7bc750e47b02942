package directives_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/directives"
)

// newTree returns a root with files in it, beside a file that no directive may reach.
func newTree(t *testing.T) (root string) {
	t.Helper()
	dir := t.TempDir()
	root = filepath.Join(dir, "docs")
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("docs/plan.md", "the plan")
	write("docs/notes/a.md", "note a")
	write("docs/notes/b.md", "note b")
	write("docs/notes/.hidden", "hidden")
	write("docs/notes/picture.png", "\x89PNG\xff")
	write("secret.txt", "the secret")
	write("docs-other/x.md", "the secret")
	for name, target := range map[string]string{
		"docs/notes/out.md": "../../secret.txt", "docs/abs.md": filepath.Join(dir, "secret.txt"), "docs/up": "..", "docs/inside.md": "plan.md",
		"docs/loop": "loop", "docs/notes/deep": "../notes",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

func fetchFile(t *testing.T, root, rest string, b directives.Budget) (directives.Fetched, error) {
	t.Helper()
	return directives.Filesystem{Roots: []string{root}}.Fetch(t.Context(), directives.Call{Scheme: "filesystem", Rest: rest, Budget: b})
}

var roomy = directives.Budget{Bytes: 1000, Items: 10}

func TestFilesystem(t *testing.T) {
	root := newTree(t)
	for rest, want := range map[string]string{
		"plan.md": "the plan", "notes/../plan.md": "the plan", "inside.md": "the plan", root + "/plan.md": "the plan",
		"//" + root + "/notes/a.md": "note a", "notes": "note a|note b", root + "/notes/": "note a|note b",
	} {
		got, err := fetchFile(t, root, rest, roomy)
		var texts []string
		for _, f := range got.Found {
			texts = append(texts, f.Text)
		}
		if strings.Join(texts, "|") != want || err != nil {
			t.Errorf("Fetch(%s) = %q, %v, want %q", rest, texts, err, want)
		}
	}
}

// TestFilesystemEscapes: nothing leads out of the root, and whether something is there outside cannot be told.
func TestFilesystemEscapes(t *testing.T) {
	root := newTree(t)
	for _, rest := range []string{
		"../secret.txt", "notes/../../secret.txt", "notes/out.md", "abs.md", "up/secret.txt", "up", "loop", "pipe", "../docs-other/x.md",
		root + "/../secret.txt", filepath.Dir(root) + "/secret.txt", root + "-other/x.md", "/etc/passwd", "/", "..", "nothing.md",
		"plan.md\x00.txt", "", "./../secret.txt", "notes/deep/../../../secret.txt",
	} {
		got, err := fetchFile(t, root, rest, roomy)
		if err == nil || len(got.Found) > 0 {
			t.Errorf("Fetch(%q) = %+v, %v, want an error and nothing", rest, got.Found, err)
		}
		if strings.Contains(err.Error(), "the secret") {
			t.Errorf("Fetch(%q) = %v, which holds the secret", rest, err)
		}
	}
	there, absent := ctxmcp.CodeOf(errOf(fetchFile(t, root, "../secret.txt", roomy))), ctxmcp.CodeOf(errOf(fetchFile(t, root, "../nothing.txt", roomy)))
	if there != absent {
		t.Errorf("outside, a file answers %s and none %s: they can be told apart", there, absent)
	}
	got, err := fetchFile(t, root, ".", roomy)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range got.Found {
		if strings.Contains(f.Text, "secret") || strings.Contains(f.URI, "hidden") {
			t.Errorf("all of the root brings %+v", f)
		}
	}
}

// TestFilesystemBytes: a file that is no text is skipped with the reason, asked for by name or not.
func TestFilesystemBytes(t *testing.T) {
	root := newTree(t)
	if err := os.WriteFile(filepath.Join(root, "bin.dat"), []byte("\x00\x01\x02binary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for rest, uri := range map[string]string{
		"bin.dat": "filesystem:bin.dat", "notes/picture.png": "filesystem:notes/picture.png", "notes": "filesystem:notes/picture.png",
	} {
		got, err := fetchFile(t, root, rest, roomy)
		skipped := slices.ContainsFunc(got.Skipped, func(s directives.Skipped) bool { return s.URI == uri && strings.Contains(s.Reason, "not text") })
		if err != nil || !skipped {
			t.Errorf("Fetch(%s) = %+v, %v, want %s skipped as no text", rest, got, err, uri)
		}
		for _, f := range got.Found {
			if strings.ContainsRune(f.Text, 0) || f.URI == uri {
				t.Errorf("Fetch(%s) brought %+v", rest, f)
			}
		}
	}
}

// TestRootIsNotNamed: where a root lies on the server is told in no answer.
func TestRootIsNotNamed(t *testing.T) {
	root := newTree(t)
	for rest, want := range map[string]string{
		"plan.md": "filesystem:plan.md", root + "/plan.md": "filesystem:plan.md", "notes/../plan.md": "filesystem:plan.md", "notes": "filesystem:notes/a.md",
		".": "filesystem:inside.md",
	} {
		got, err := fetchFile(t, root, rest, roomy)
		if err != nil || len(got.Found) == 0 || got.Found[0].URI != want {
			t.Errorf("Fetch(%s) = %+v, %v, want %s first", rest, got.Found, err, want)
		}
		if all := fmt.Sprintf("%+v", got); strings.Contains(all, root) {
			t.Errorf("Fetch(%s) names the root: %s", rest, all)
		}
	}
	for _, rest := range []string{"none.md", "abs.md", "up/secret.txt", "loop", "pipe"} {
		_, err := fetchFile(t, root, rest, roomy)
		e, told := errors.AsType[*ctxmcp.Error](err)
		if !told || strings.Contains(e.Message+e.Hint, filepath.Dir(root)) {
			t.Errorf("Fetch(%s) = %v, want an error that does not name the root", rest, err)
		}
	}
}

func errOf(_ directives.Fetched, err error) error { return err }

// TestFilesystemBudget: a file that does not fit is refused as a whole, and named where it was one of many.
func TestFilesystemBudget(t *testing.T) {
	root := newTree(t)
	if _, err := fetchFile(t, root, "plan.md", directives.Budget{Bytes: 7, Items: 1}); ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge {
		t.Errorf("a large file = %v, want too_large", err)
	}
	for _, b := range []directives.Budget{{Bytes: 7, Items: 10}, {Bytes: 1000, Items: 1}} {
		got, err := fetchFile(t, root, "notes", b)
		if err != nil || len(got.Found) != 1 || got.Found[0].Text != "note a" || len(got.Skipped) == 0 {
			t.Errorf("Fetch(notes) within %+v = %+v, %v, want the first alone", b, got, err)
		}
	}
}

// TestFilesystemDotFilesAndHardLinks: a file that an operator hardly meant to open is refused with the reason, also behind a link, and
// passed over in a folder; and each setting opens its own.
func TestFilesystemDotFilesAndHardLinks(t *testing.T) {
	root := newTree(t)
	for name, content := range map[string]string{".env": "the environment", ".git/config": "the repository"} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("../.env", filepath.Join(root, "notes", "env")), os.Symlink(".git", filepath.Join(root, "repository")),
		os.Link(filepath.Join(root, "..", "secret.txt"), filepath.Join(root, "notes", "second.md"))); err != nil {
		t.Fatal(err)
	}
	dots, second := directives.Filesystem{Roots: []string{root}, DotFiles: true}, directives.Filesystem{Roots: []string{root}, HardLinks: true}
	for _, c := range []struct {
		name, refused string
		opens         directives.Filesystem
	}{
		{".env", "filesystem_dot_files", dots},
		{".git/config", "filesystem_dot_files", dots},
		{filepath.Join(root, ".env"), "filesystem_dot_files", dots},
		{"notes/env", "filesystem_dot_files", dots},
		{"repository/config", "filesystem_dot_files", dots},
		{"notes/second.md", "filesystem_hard_links", second},
	} {
		_, err := fetchFile(t, root, c.name, roomy)
		e, told := errors.AsType[*ctxmcp.Error](err)
		if !told || e.Code != ctxmcp.CodeDenied || !strings.Contains(e.Hint, c.refused) {
			t.Errorf("Fetch(%s) = %v, want denied, with context.%s", c.name, err, c.refused)
		}
		got, err := c.opens.Fetch(t.Context(), directives.Call{Scheme: "filesystem", Rest: c.name, Budget: roomy})
		if err != nil || len(got.Found) != 1 {
			t.Errorf("Fetch(%s) where it is opened = %v, %v", c.name, got, err)
		}
	}
	got, err := fetchFile(t, root, "notes", roomy)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range got.Found {
		if strings.Contains(f.Text, "secret") || strings.Contains(f.Text, "environment") {
			t.Errorf("a folder brings %s: %s", f.URI, f.Text)
		}
	}
}
