package effect

import "slices"

// staging tells the deed of a command of git with the files that the next commits send.
func staging(rest []string) Staging {
	operands := operandsOf(rest)
	if len(operands) == 0 {
		return NothingStaged
	}
	switch operands[0] {
	case "add", "stage":
		if slices.ContainsFunc(operands[1:], IsSecret) {
			return SecretStaged
		}
	case "rm", "reset", "restore", "stash":
		return Unstaged
	}
	return NothingStaged
}

// stages follows what git has staged through a command line, and marks an effect that sends it.
func (s *shell) stages(e *Effect, rest []string) {
	e.Stages = staging(rest)
	switch {
	case e.Stages == SecretStaged:
		s.reading.call.Staged = true
	case e.Stages == Unstaged:
		s.reading.call.Staged = false
	case s.reading.call.Staged && len(operandsOf(rest)) > 0 && operandsOf(rest)[0] == "push":
		e.Leaks = true
	}
}
