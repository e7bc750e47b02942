package effect

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// IsCloud reports whether a command is a client of a cloud, whose subcommands name an operation.
func IsCloud(name string) bool { return cloudClients.has(name) }

// cloud refines the class of a client of a cloud by the words of its operation, unless it has a row of its own.
func (s *shell) cloud(e Effect, rest []string) Effect {
	if e.Class != Unknown {
		return e
	}
	words := operationOf(rest)
	e.Class = classOfWords(words)
	if e.Class == Unknown || isRehearsed(rest) {
		e.Class = Read // a client without a verb that changes something
	}
	if to := operandsOf(rest); len(to) > 1 && transfers(words) {
		e.Class = transferClass(to)
		e.Sends = append(slices.Clone(to[:len(to)-1]), s.piped...)
	}
	e.Secret = e.Class == Read && slices.ContainsFunc(rest, IsSecret)
	return e
}

// operationOf returns the words of the operation in the operands of a client of a cloud, its verb first. The verb begins a word behind that of the service, which may
// be one itself, as in "aws logs delete-log-group"; a client without services has it first.
func operationOf(rest []string) []string {
	var groups [][]string
	for _, w := range rest {
		if strings.HasPrefix(w, "-") {
			break
		}
		if one := language.NameWords(w); !strings.ContainsAny(w, ":/.=@") && len(one) > 0 {
			groups = append(groups, one)
		}
	}
	at := slices.IndexFunc(groups, func(group []string) bool { return beginsOperation(group[0]) })
	if at > 0 {
		groups = slices.Insert(slices.Delete(slices.Clone(groups), at, at+1), 0, groups[at])
	}
	return slices.Concat(groups...)
}

// beginsOperation reports whether a word is a verb, and no name of a service.
func beginsOperation(w string) bool {
	return (reads(w) || isVerb()(w)) && !alsoNoun(w) && !services.has(w)
}

// lists reports whether an operation tells names of things, and not their contents.
func lists(words []string) bool {
	return len(words) > 0 && listing.has(words[0]) || outlines.hasAny(words)
}

// transfers reports whether the words copy objects.
func transfers(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w == "cp" || w == "mv" || w == "sync" || w == "rsync" })
}

// transferClass tells what copying objects of a store does, by where the last operand is.
func transferClass(operands []string) Class {
	last := operands[len(operands)-1]
	if strings.Contains(last, "://") {
		return NetworkWrite
	}
	return NetworkRead
}

// grantsAll reports whether one of the words is such a value.
func grantsAll(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		w = strings.ToLower(w)
		return slices.ContainsFunc(broad.words(), func(b string) bool {
			at := strings.Index(w, b)
			return at >= 0 && (at == 0 || !isWordByte(w[at-1])) && (at+len(b) == len(w) || !isWordByte(w[at+len(b)]))
		})
	})
}

func isWordByte(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '-' }
