package effect

import (
	_ "embed" // for the table
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

//go:embed secrets.tsv
var secretRows string

// some stands in the table of secrets for an output that has secrets among much else.
const some Class = "some"

// secretTable holds the commands, and "address", by whether what they give out is a secret.
var secretTable = sync.OnceValue(func() map[string][]command { return commandsOf(secretRows) })

// gives tells whether the output of a command is a secret, has some, or is plain, and whether a row of the table says so.
func gives(name string, rest []string) (what Class, listed bool) {
	for _, row := range secretTable()[name] {
		if row.fits(rest) {
			if row.class == plain && name == "printenv" && slices.ContainsFunc(rest, NamesSecret) {
				return secret, true
			}
			return row.class, true
		}
	}
	return givesByWords(name, rest), false
}

// givesByWords is gives for a command without a row.
func givesByWords(name string, rest []string) Class {
	switch {
	case IsCloud(name):
		if words := operationOf(rest); secretWords(words) && !lists(words) {
			return secret
		}
	case isClient(name):
		if secretWords(append([]string{name}, rest...)) && !slices.Contains(operandsOf(rest), "list") {
			return secret
		}
	case slices.Contains(echoers, name):
		if len(variables(rest)) > 0 {
			return secret
		}
	case slices.Contains(printers, name):
		if slices.ContainsFunc(rest, IsSecret) {
			return secret
		}
	}
	return plain
}

// echoers print their operands.
var echoers = strings.Fields("echo printf print write-output write-host")

// printers give out the files that are their operands, as they are or in another form.
var printers = strings.Fields("awk base32 base64 bat cat cut gzip head hexdump jq less nl od openssl sed strings tac tail tar tr xxd yq zip")

// opens marks an effect of a command whose output is a secret. A command of the table that is not known otherwise only looks.
func (e *Effect) opens(name string, rest []string) {
	g, listed := gives(name, rest)
	if g == plain || !listed && e.Class != Read {
		return
	}
	e.Secret, e.Mixed = true, g == some
	if e.Class == Unknown {
		e.Class = Read
	}
}

// opensAddress marks an effect on an address at which a machine has credentials of its own.
func (e *Effect) opensAddress() {
	for _, v := range e.Deciding {
		_, at, is := strings.Cut(v.Text, "://")
		for _, row := range secretTable()["address"] {
			if is && v.Role == Host && alike(at, row.sub[0]) {
				e.Secret, e.Mixed = true, row.class == some
			}
		}
	}
}

// givesSecret reports whether a row of the table says that what the tool gives out is a secret.
func (r *reading) givesSecret(words []string) bool {
	return slices.ContainsFunc(secretTable()["tool"], func(row command) bool {
		return !slices.ContainsFunc(row.sub, func(part string) bool {
			key, value, argued := strings.Cut(part, "=")
			if !argued {
				return !slices.Contains(words, part)
			}
			return !slices.ContainsFunc(r.arguments, func(a argument) bool { return a.key == key && alike(a.text, value) })
		})
	})
}

// readsSecret reports whether one of the commands gives out a secret, or the whole environment, which holds some.
func readsSecret(commands [][]string) bool {
	return slices.ContainsFunc(commands, func(argv []string) bool {
		what, _ := gives(baseName(argv[0]), argv[1:])
		return what != plain
	})
}

// fills reports whether a word of a command is filled in by one that gives out a secret: "Bearer $(gh auth token)".
func fills(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		_, inside, is := strings.Cut(w, "$(")
		if !is {
			return false
		}
		if end := strings.LastIndexByte(inside, ')'); end >= 0 {
			inside = inside[:end]
		}
		argv := strings.Fields(inside)
		return len(argv) > 0 && readsSecret([][]string{unwrapped(argv)})
	})
}

// secretWords reports whether an operation is about secrets.
func secretWords(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return secretNames.has(strings.ToLower(singular(w))) })
}

// NamesSecret reports whether a name is one of a secret, as DB_PASSWORD.
func NamesSecret(name string) bool { return secretWords(append(language.NameWords(name), name)) }

// IsSecretVariable reports whether a text is a variable of a shell that is named after a secret, as $GITHUB_TOKEN.
func IsSecretVariable(text string) bool {
	return strings.HasPrefix(text, "$") && NamesSecret(strings.Trim(text, "${}"))
}
