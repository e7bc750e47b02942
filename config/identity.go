package config

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Caller returns who calls without a token.
func (c *Config) Caller() ctxmcp.Caller {
	by := ctxmcp.Caller{Tenant: c.Tenant, User: c.User, Roles: c.Roles, Clearance: c.Clearance, Authority: c.Authority}
	if c.CallerKind == ctxmcp.Harness {
		by = by.With(ctxmcp.Harness)
	}
	return by
}

// Person returns the caller who decides at the command line: the user in person, with the authority of a user even if their agents may assert less.
func (c *Config) Person() ctxmcp.Caller {
	by := c.Caller()
	by.Authority = min(by.Authority, ctxmcp.AuthorityUser)
	return by
}

// Place returns the scope that commands look from.
func (c *Config) Place() ctxmcp.Scope {
	return ctxmcp.Scope{User: c.User, Project: c.Project, Session: c.Session}
}

// ProjectOf returns the project id that the path of a folder gives: its git root's name and a digest of
// its path, so that two folders of one name are two projects. All work trees of a repository are one project. A home or
// root folder, where desktop assistants start their servers, is no project.
func ProjectOf(dir string) string {
	root := gitRoot(dir)
	if root == "" {
		root = dir
	}
	home, err := os.UserHomeDir()
	if err == nil && sameFolder(root, home) || filepath.Dir(root) == root {
		return ""
	}
	name := slug(filepath.Base(root))
	if name == "" {
		name = "project"
	}
	return name + "-" + ctxmcp.Digest(root)[:8]
}

// FolderOf returns the folder that an agent which was started in dir works in: the top of the work tree, else dir; as dir names it, with its links.
// For a home or root folder, which is no workspace, and for no dir it returns "".
func FolderOf(dir string) string {
	if dir == "" {
		return ""
	}
	folder, top := dir, WorkTree(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil && top != "" {
		for ; real != top && filepath.Dir(real) != real; real = filepath.Dir(real) {
			folder = filepath.Dir(folder)
		}
	}
	home, err := os.UserHomeDir()
	if err == nil && sameFolder(folder, home) || filepath.Dir(folder) == folder {
		return ""
	}
	return folder
}

func sameFolder(a, b string) bool {
	x, errX := filepath.EvalSymlinks(a)
	y, errY := filepath.EvalSymlinks(b)
	return errX == nil && errY == nil && x == y
}

// gitRoot returns the folder of the repository that dir is in, that of the main work tree for a linked one, or "".
func gitRoot(dir string) string {
	top := WorkTree(dir)
	entry := filepath.Join(top, ".git")
	if info, err := os.Stat(entry); top == "" || err != nil || info.IsDir() {
		return top
	}
	return mainWorkTree(entry, top)
}

// WorkTree returns the top folder of the work tree that dir is in, or "".
func WorkTree(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// mainWorkTree follows the .git file of a linked work tree, "gitdir: MAIN/.git/worktrees/NAME", to MAIN.
func mainWorkTree(entry, dir string) string {
	text, err := os.ReadFile(entry)
	if err != nil {
		return dir
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return dir
	}
	if main, _, linked := strings.Cut(filepath.ToSlash(target), "/.git/worktrees/"); linked && filepath.IsAbs(target) {
		return filepath.FromSlash(main)
	}
	return dir
}

// slug returns text with every character that an id cannot hold replaced.
func slug(text string) string {
	id := strings.Trim(strings.Map(func(r rune) rune {
		if ctxmcp.ValidID(string(r)) {
			return r
		}
		return '-'
	}, text), "-.")
	return id[:min(len(id), 64)]
}
