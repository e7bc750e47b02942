package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory/exchange/foreign"
)

// The names of forms that are no other system's. Words are typed: append only, never rename.
const (
	formatAuto    = "auto"
	formatObjects = "context-object"
)

// headSize is how many bytes of a file are looked at to tell its form.
const headSize = 64 << 10

func formatNames() []string {
	names := []string{formatObjects}
	for _, f := range foreign.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// formatHelp describes the forms for a help text, one a line.
func formatHelp() string {
	text := fmt.Sprintf("  %-16s what ctx-mcp export writes\n", formatObjects)
	for _, f := range foreign.Formats() {
		text += fmt.Sprintf("  %-16s %s\n", f.Name, f.Doc)
	}
	return text
}

func checkFormat(name string) error {
	if name == formatAuto || slices.Contains(formatNames(), name) {
		return nil
	}
	return usage("--format %q is not known: use auto, %s", name, strings.Join(formatNames(), ", "))
}

// formOf returns the form of the input r: the one of the name, or the one that it begins with. An input of no other
// system is context objects.
func formOf(name string, r *bufio.Reader) (form foreign.Format, isForeign bool, err error) {
	if name != formatAuto {
		form, isForeign = foreign.Find(name)
		return form, isForeign, nil
	}
	head, err := r.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return form, false, fmt.Errorf("read: %w", err)
	}
	form, isForeign = foreign.Detect(head)
	return form, isForeign, nil
}
