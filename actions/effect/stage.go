package effect

import (
	"path"
	"slices"
	"strings"
)

// staging tells the deed of a command of git with the files that the next commits send. copies are files with the content of a file of secrets.
func staging(rest, copies []string) Staging {
	operands := operandsOf(rest)
	if len(operands) == 0 {
		return NothingStaged
	}
	switch operands[0] {
	case "add", "stage":
		all := has(rest, []string{"-A", "--all"})
		if slices.ContainsFunc(operands[1:], IsSecret) || slices.ContainsFunc(copies, func(c string) bool {
			return all || slices.ContainsFunc(operands[1:], func(o string) bool { o = path.Clean(o); return o == "." || o == c || strings.HasPrefix(c, o+"/") })
		}) {
			return SecretStaged
		}
	case "rm", "reset", "restore", "stash":
		return Unstaged
	}
	return NothingStaged
}

// stages follows what git has staged through a command line, and marks an effect that sends it.
func (s *shell) stages(e *Effect, rest []string) {
	e.Stages = staging(rest, s.reading.call.Copies)
	switch {
	case e.Stages == SecretStaged:
		s.reading.call.Staged = true
	case e.Stages == Unstaged:
		s.reading.call.Staged = false
	case s.reading.call.Staged && len(operandsOf(rest)) > 0 && operandsOf(rest)[0] == "push":
		e.Leaks = true
	}
}

// copied takes down the file to which a command copies a file of secrets, if it does.
func (s *shell) copied(e *Effect, name string, rest []string) {
	operands := operandsOf(rest)
	if len(operands) < 2 || !slices.Contains(placers, name) || isElsewhere(operands[len(operands)-1]) {
		return
	}
	to := operands[len(operands)-1]
	for _, from := range operands[:len(operands)-1] {
		if !IsSecret(from) {
			continue
		}
		e.Copies = append(e.Copies, path.Clean(s.from(to)))
		if strings.HasSuffix(to, "/") || path.Ext(to) == "" {
			e.Copies = append(e.Copies, path.Join(s.from(to), path.Base(from)))
		}
	}
	s.reading.call.Copies = slices.Concat(s.reading.call.Copies, e.Copies)
}
