package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ctx-mcp/ctx-mcp"
)

// aboutFile says in words why a file that the command line names cannot be opened, or returns "".
func aboutFile(err error) string {
	path, is := errors.AsType[*fs.PathError](err)
	if _, told := errors.AsType[*ctxmcp.Error](err); !is || told {
		return ""
	}
	switch {
	case errors.Is(path, syscall.EISDIR):
		return path.Path + " is a folder: name a file"
	case errors.Is(path, fs.ErrPermission):
		return "you may not open " + path.Path
	case errors.Is(path, fs.ErrNotExist):
		return "there is no " + filepath.Base(path.Path) + " in " + filepath.Dir(path.Path)
	}
	return ""
}

// mistakenFile is the usage error of a file that cannot be opened.
func mistakenFile(err error) error {
	if words := aboutFile(err); words != "" {
		return usage("%s", words)
	}
	return usage("%v", err)
}

// inTerms gives an error about an id a hint for people at the command line: the command that lists the ids.
func inTerms(err error, list string) error {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok && e.Code == ctxmcp.CodeNotFound {
		return ctxmcp.Errorf(e.Code, "%s", strings.TrimSpace(e.Message)).WithHint("ctx-mcp %s has the ids", list)
	}
	return err
}
