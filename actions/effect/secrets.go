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
	if slices.Contains(printers, name) && slices.ContainsFunc(rest, IsSecret) {
		return secret
	}
	switch {
	case IsCloud(name):
		words := operationOf(rest)
		if len(words) == 0 {
			words = append([]string{name}, rest...)
		}
		if secretWords(words) && !lists(words) {
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
	}
	return plain
}

// vaults keep secrets, and print them.
var vaults = strings.Fields("vault bao op pass bw gopass lpass secret-tool security keyctl")

// tellsNames reports whether a row of the table says that a command tells no more than names.
func tellsNames(name string, rest []string) bool {
	what, listed := gives(name, rest)
	return listed && what == plain
}

// echoers print their operands.
var echoers = strings.Fields("echo printf print write-output write-host")

// printers give out the files that are their operands, as they are or in another form.
var printers = strings.Fields("awk base32 base64 bat cat cut gzip head hexdump jq less nl od openssl sed strings tac tail tar tr xxd yq zip")

// opens marks an effect of a command whose output is a secret. A command of the table that is not known otherwise only looks, unless it changes something
// too, or writes the secret to a file.
func (e *Effect) opens(name string, rest []string) {
	g, listed := gives(name, rest)
	if g == plain || !listed && e.Class != Read {
		return
	}
	e.Secret, e.Mixed = true, g == some
	if e.Class == Unknown && !changes(rest) && !toFile(rest) {
		e.Class = Read
	}
}

// changing are subcommands that make, change or end something.
var changing = strings.Fields("add cp copy create delete edit generate git import init insert mv move new remove reset revoke rm rotate set share unset update upload write")

// changes reports whether the subcommand of a command makes, changes or ends something.
func changes(rest []string) bool {
	const deep = 4 // words of a subcommand
	operands := operandsOf(rest)
	return slices.ContainsFunc(operands[:min(deep, len(operands))], func(w string) bool { return slices.Contains(changing, strings.ToLower(w)) })
}

// toFile reports whether a flag of a command sends its output to a file.
func toFile(rest []string) bool {
	to := valueOf(rest, "-o", "-O", "--output", "--out", "--out-file", "--output-file", "--outfile")
	return to != "" && to != "-" && !strings.HasPrefix(to, "/dev/") && !slices.Contains(formats, strings.ToLower(to))
}

// formats are values of a flag for the output that name no file.
var formats = strings.Fields("csv dotenv env json name plain plaintext table text tsv wide yaml")

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
		name := baseName(argv[0])
		what, listed := gives(name, argv[1:])
		return what != plain || !listed && (slices.Contains(vaults, name) || (isClient(name) || IsCloud(name)) && secretWords(append([]string{name}, argv[1:]...)))
	})
}

// fills reports whether a word of a command is filled in by one that gives out a secret: "Bearer $(gh auth token)".
func fills(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		parts := strings.Split(w, "$(")
		return slices.ContainsFunc(parts[1:], func(inside string) bool {
			inside, _, _ = strings.Cut(inside, ")")
			return slices.ContainsFunc(strings.Split(inside, " ; "), func(line string) bool {
				argv := strings.Fields(line)
				return len(argv) > 0 && readsSecret([][]string{unwrapped(argv)})
			})
		})
	})
}

// secretWords reports whether an operation is about secrets.
func secretWords(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return secretNames.has(strings.ToLower(singular(w))) })
}

// NamesSecret reports whether a name is one of a secret, as DB_PASSWORD.
func NamesSecret(name string) bool { return secretWords(append(language.NameWords(name), name)) }

// SaysLittle reports whether a word does not tell one secret from another: it is a name of secrets, or of a subcommand of the command, or looks at things.
func SaysLittle(of, word string) bool {
	name := baseName(of)
	word = strings.ToLower(word)
	return NamesSecret(word) || reads(word) || slices.ContainsFunc(slices.Concat(secretTable()[name], commandTable()[name]), func(c command) bool {
		return slices.Contains(c.sub, word)
	})
}

// IsSecretVariable reports whether a text is a variable of a shell that is named after a secret, as $GITHUB_TOKEN.
func IsSecretVariable(text string) bool {
	return strings.HasPrefix(text, "$") && NamesSecret(strings.Trim(text, "${}"))
}
