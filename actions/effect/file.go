package effect

import (
	"path"
	"slices"
	"strings"
)

// file refines the class of a command that writes files: where to.
func (s *shell) file(name string, e Effect, rest []string) Effect {
	operands := operandsOf(rest)
	targets := operands
	switch {
	case slices.Contains(placers, name) && len(operands) > 1:
		targets = operands[len(operands)-1:]
	case len(operands) == 0 && slices.Contains(removers, name):
		targets = s.piped // by xargs
	}
	for _, t := range targets {
		if c, over := s.classOfWriting(s.from(t), writesAnew(name, rest)); c.Danger() > e.Class.Danger() {
			e.Class, e.Over, e.Deciding = c, over && name != "rsync" && !slices.Contains(removers, name), []Value{{Path, t, s.pointer}}
		}
	}
	e.Removes = e.Class == Local && slices.Contains(removers, name)
	if name == "mv" && len(operands) > 1 && isTemporary(s.from(targets[0])) {
		if at := slices.IndexFunc(operands[:len(operands)-1], func(o string) bool { return s.outside(s.from(o)) }); at >= 0 { // nobody keeps such files
			e.Class, e.Deciding = Destroy, []Value{{Path, operands[at], s.pointer}}
		}
	}
	if name == "rm" && slices.ContainsFunc(operands, func(o string) bool { o = path.Clean(o); return o == "." || o == "*" || o == ".git" }) {
		e.Class = Destroy
	}
	return e
}

// placers put something at their last operand. Removers leave nothing at a path: that is no writing over.
var (
	placers  = strings.Fields("cp mv ln install rsync")
	removers = strings.Fields("rm rmdir unlink shred trash rimraf srm")
)

// writesAnew reports whether a command that writes files takes the place of one that is there already, by its manual.
func writesAnew(name string, rest []string) bool {
	switch name {
	case "mkdir", "touch", "tar", "unzip":
		return false
	case "tee":
		return !has(rest, []string{"-a", "--append"})
	case "cp", "mv":
		return !has(rest, []string{"-n", "--no-clobber"})
	case "rsync":
		return deletes(rest)
	case "ln":
		return has(rest, []string{"-f", "--force"})
	default:
		return true
	}
}

// deletes reports whether a command that copies folders also removes files that the source does not have.
func deletes(rest []string) bool {
	return slices.ContainsFunc(rest, func(w string) bool { return strings.HasPrefix(w, "--del") || w == "--remove-source-files" })
}

// isElsewhere reports whether an operand of a command that copies is on another machine, as in "host:folder".
func isElsewhere(w string) bool {
	front, _, is := strings.Cut(w, ":")
	return is && len(front) > 1 && !strings.ContainsRune(front, '/')
}
