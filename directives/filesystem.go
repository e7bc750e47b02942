package directives

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ctx-mcp/ctx-mcp"
)

// Filesystem brings files below folders that the operator allows: "filesystem:docs/plan.md", or all files of a folder. A
// path is relative to a root, or absolute within one. Nothing leaves a root: neither "..", nor a symbolic link (os.Root).
type Filesystem struct {
	Roots []string
	// DotFiles brings files and folders whose names begin with a dot, where they are named: .env and .git hold secrets, and nobody
	// thinks of them who opens a folder. In a folder they are passed over in any case.
	DotFiles bool
	// HardLinks brings files that have a second name, which may lie outside of the root: os.Root cannot tell.
	HardLinks bool
}

var _ Provider = Filesystem{}

// Fetch implements Provider. A file that is no text is skipped. Anything but a file is refused, and skipped in a folder. A
// document is named as a directive below the root: the place of a root is nobody's business but the operator's.
func (f Filesystem) Fetch(ctx context.Context, c Call) (Fetched, error) {
	name := strings.TrimPrefix(c.Rest, "//") // filesystem:///srv/docs/plan.md is read as a URL too
	if name == "" || strings.ContainsRune(name, 0) {
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "filesystem: needs a path").WithHint("such as filesystem:docs/plan.md")
	}
	for _, at := range f.Roots {
		local, within := relative(at, name)
		if !within {
			continue
		}
		if !f.DotFiles && (hidden(local) || leadsToHidden(at, local)) {
			return Fetched{}, dotted(c.Rest)
		}
		got, err := f.fetchBelow(ctx, at, local, c.Budget)
		if !errors.Is(err, fs.ErrNotExist) {
			return got, err
		}
	}
	return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no file %q in the folders that are allowed", ctxmcp.Clip(c.Rest, maxEcho)).
		WithHint("name a path below one of context.filesystem_roots")
}

// entries returns the files and folders of a folder below a root as directives. It returns the error of a folder that cannot be read, or leads
// out of the root.
func entries(at, below string) ([]string, error) {
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	list, err := fs.ReadDir(root.FS(), filepath.ToSlash(below))
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, e := range list {
		switch name := "filesystem:" + path.Join(filepath.ToSlash(below), e.Name()); {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			lines = append(lines, name+"/")
		case e.Type().IsRegular():
			lines = append(lines, name)
		}
	}
	return lines, nil
}

// hidden reports whether a part of a path below a root begins with a dot.
func hidden(local string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(local), "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") && part != "." && part != ".."
	})
}

// leadsToHidden reports whether links lead from a path below the root to one that is hidden.
func leadsToHidden(root, local string) bool {
	base, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false // os.Root says what is wrong with it
	}
	end, err := filepath.EvalSymlinks(filepath.Join(root, local))
	if err != nil {
		return false
	}
	below, err := filepath.Rel(base, end)
	return err == nil && hidden(below)
}

func dotted(name string) error {
	return ctxmcp.Errorf(ctxmcp.CodeDenied, "%q has, or leads to, a name that begins with a dot: such files are not brought", ctxmcp.Clip(name, maxEcho)).
		WithHint("they often hold secrets; the operator opens them with context.filesystem_dot_files")
}

// relative returns the path below the root that the name means.
func relative(root, name string) (string, bool) {
	if !filepath.IsAbs(name) {
		return filepath.Clean(name), true
	}
	local, err := filepath.Rel(root, filepath.Clean(name))
	return local, err == nil && filepath.IsLocal(local)
}

func (f Filesystem) fetchBelow(ctx context.Context, at, local string, b Budget) (Fetched, error) {
	root, err := os.OpenRoot(at)
	if err != nil {
		return Fetched{}, err
	}
	defer root.Close()
	info, err := root.Stat(local)
	if err != nil {
		return Fetched{}, outside(local, err)
	}
	r := &reading{ctx: ctx, root: root, budget: b, allow: f}
	if !info.IsDir() {
		err := r.file(local, true)
		return r.got, err
	}
	err = fs.WalkDir(folders{root.FS(), ctx}, filepath.ToSlash(local), func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			r.skip(name, "it cannot be read")
			return nil
		case strings.HasPrefix(path.Base(name), ".") && name != filepath.ToSlash(local) && e.IsDir():
			return fs.SkipDir
		case e.IsDir() || strings.HasPrefix(path.Base(name), "."):
			return nil
		}
		if len(r.got.Found) == b.Items { // a large tree is not walked to its end
			r.skip(name, "over the number of items, with all that follow")
			return fs.SkipAll
		}
		return r.file(name, false)
	})
	return r.got, err
}

// outside keeps what lies outside of a root from being told apart from what does not exist.
func outside(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return ctxmcp.Errorf(ctxmcp.CodeDenied, "%q cannot be read from the folders that are allowed", ctxmcp.Clip(name, maxEcho)).WithCause(err).
		WithHint("name a path below one of context.filesystem_roots; links do not lead out of them")
}

// reading is one directive's way through a root.
type reading struct {
	ctx    context.Context
	root   *os.Root
	budget Budget
	allow  Filesystem
	used   int64
	got    Fetched
}

// file reads a file. One that was asked for by name is an error where one of a folder is passed over.
func (r *reading) file(name string, named bool) error {
	refuse := func(err error, why string) error {
		if named {
			return err
		}
		r.skip(name, why)
		return nil
	}
	if !r.allow.DotFiles && leadsToHidden(r.root.Name(), name) {
		return refuse(dotted(name), "it leads to a name that begins with a dot")
	}
	f, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not hold the call
	if err != nil {
		return refuse(outside(name, err), "it cannot be read, or leads out of the folder")
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return refuse(outside(name, err), "it is no file")
	}
	if !r.allow.HardLinks && links(info) > 1 {
		return refuse(ctxmcp.Errorf(ctxmcp.CodeDenied, "%q has a second name, which may lie outside of the folders that are allowed", ctxmcp.Clip(name, maxEcho)).
			WithHint("copy it; or the operator opens such files with context.filesystem_hard_links"), "it has a second name, which may lie outside of the folder")
	}
	left := r.budget.Bytes - r.used
	raw, err := io.ReadAll(io.LimitReader(during{r.ctx, f}, left+1))
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case err != nil:
		return refuse(outside(name, err), "it cannot be read")
	case int64(len(raw)) > left:
		return refuse(TooLarge(r.budget.Bytes, r.budget.Items), "over the number of bytes")
	case !legible(string(raw)):
		r.skip(name, notText)
		return nil
	}
	r.used += int64(len(raw))
	r.got.Found = append(r.got.Found, Found{URI: uri(name), Text: string(raw)})
	return nil
}

func (r *reading) skip(name, why string) {
	const most = 50
	if len(r.got.Skipped) < most {
		r.got.Skipped = append(r.got.Skipped, Skipped{uri(name), why})
	}
}

// notText says why bytes are skipped.
const notText = "it is not text: put_artifact keeps bytes of any kind"

// uri returns the directive that names a path below a root.
func uri(name string) string { return "filesystem:" + path.Clean(filepath.ToSlash(name)) }
