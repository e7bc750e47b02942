package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
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

// inTerms gives an error about an id a hint for people at the command line: the command that lists the ids. Every other hint names commands in place
// of tools.
func inTerms(err error, list string) error {
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok {
		return err
	}
	said := ctxmcp.Errorf(e.Code, "%s", withShortIDs(strings.TrimSpace(e.Message)))
	if e.Code == ctxmcp.CodeNotFound {
		return said.WithHint("ctx-mcp %s has the ids", list)
	}
	if e.Hint == "" {
		return said
	}
	return said.WithHint("%s", inShell(withShortIDs(e.Hint)))
}

// shellTerms puts commands in place of the tools that texts for agents name.
var shellTerms = strings.NewReplacer(
	"review with action restore takes it back", "ctx-mcp review restore takes it back",
	"recall without query gives a brief", "ctx-mcp memory brief tells what matters",
	"without as_of and believed_at recall tells what holds now", "without --as-of you see what holds now",
	"the next page: cursor ", "the next page: --cursor ",
	"supersede that one", "correct that one",
	"remember it anew, without supersedes", "ctx-mcp memory add tells it anew",
	"memory_history of the claim's subject shows them", "ctx-mcp memory history shows them",
	"memory_history shows", "ctx-mcp memory history shows",
	": tell the user, who can", ": you can", ": tell the user", "",
	"; hard_delete erases", "; --mode hard_delete erases",
	"mode hard_delete", "--mode hard_delete",
)

// inShell returns a text for an agent as a person at the command line gets it.
func inShell(text string) string { return shellTerms.Replace(text) }

// wholeIDs matches ids of memories and reviews.
var wholeIDs = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

// withShortIDs returns a text with the short form of each id.
func withShortIDs(text string) string { return wholeIDs.ReplaceAllStringFunc(text, ctxmcp.ShortID) }
