package effect

import (
	_ "embed" // for the tables
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed commands.tsv
var commandRows string

//go:embed operations.tsv
var operationRows string

//go:embed paths.tsv
var pathRows string

// RowsOf returns the rows of a table of so many columns. It panics for another form: the tables are tested.
func RowsOf(text string, columns int) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' || line[0] == '=' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != columns {
			panic(fmt.Sprintf("effect: %q has not %d columns", line, columns))
		}
		rows = append(rows, cells)
	}
	return rows
}

// command is a row of the table of commands.
type command struct {
	sub    []string // in this order, before other operands
	flags  []string // one of them; none: any
	class  Class
	sample string
}

// Words in the place of a class, which say where the class is from.
const (
	byPackage Class = "package" // install where an operand names a package, else build
	toAll     Class = "publish" // sends something to everybody, for good
	byRequest Class = "request" // that of the request that the operands describe
	secret    Class = "secret"  // a path that holds a secret
	plain     Class = "plain"   // a path that looks like one of the others, and is none
	publicKey Class = "key"     // a key that anybody may see
)

// commandTable holds the commands by their names.
var commandTable = sync.OnceValue(func() map[string][]command { return commandsOf(commandRows) })

// commandsOf returns the rows of a table of commands by their names.
func commandsOf(rows string) map[string][]command {
	all := map[string][]command{}
	for _, row := range RowsOf(rows, 5) {
		c := command{class: Class(row[3]), sample: row[4]}
		if row[1] != "-" {
			c.sub = strings.Fields(row[1])
		}
		if row[2] != "-" {
			c.flags = strings.Split(row[2], ",")
		}
		all[row[0]] = append(all[row[0]], c)
	}
	return all
}

// operation is a row of the table of operations.
type operation struct {
	verbs, objects map[string]bool // no objects: any
	class          Class
	sample         string
}

var operationTable = sync.OnceValue(func() []operation {
	groups := map[string][]string{}
	for line := range strings.Lines(operationRows) {
		if rest, is := strings.CutPrefix(strings.TrimRight(line, "\n"), "="); is {
			name, words, _ := strings.Cut(rest, "\t")
			groups[name] = strings.Fields(words)
		}
	}
	words := func(cell string) map[string]bool {
		set := map[string]bool{}
		for _, w := range strings.Fields(cell) {
			for _, one := range append(groups[w], w) {
				set[one] = true
			}
		}
		return set
	}
	var all []operation
	for _, row := range RowsOf(operationRows, 4) {
		o := operation{verbs: words(row[0]), class: Class(row[2]), sample: row[3]}
		if row[1] != "-" {
			o.objects = words(row[1])
		}
		all = append(all, o)
	}
	return all
})

// place is a row of the table of paths.
type place struct {
	segments []string
	plain    []bool // of each segment: it has no sign that stands for others
	below    bool   // and all below
	class    Class
	sample   string
}

var placeTable = sync.OnceValue(func() []place {
	var all []place
	for _, row := range RowsOf(pathRows, 3) {
		pattern, below := strings.CutSuffix(row[0], "/")
		p := place{segments: strings.Split(strings.ToLower(pattern), "/"), below: below, class: Class(row[1]), sample: row[2]}
		for _, segment := range p.segments {
			p.plain = append(p.plain, !strings.ContainsAny(segment, `*?[\`))
		}
		all = append(all, p)
	}
	return all
})

// isVerb reports whether a word stands among the verbs of the table of operations.
var isVerb = sync.OnceValue(func() func(string) bool {
	set := map[string]bool{}
	for _, o := range operationTable() {
		for v := range o.verbs {
			set[v] = true
		}
	}
	return func(w string) bool { return set[w] }
})

// has reports whether one of the flags is among the words: as it is, before an equals sign, or as a letter among others. A flag with a value in the
// table is there with that value, behind it or behind an equals sign; one with a star also with anything right behind it.
func has(words, flags []string) bool {
	for i, w := range words {
		name, _, _ := strings.Cut(w, "=")
		if slices.ContainsFunc(flags, func(f string) bool {
			if flag, value, valued := strings.Cut(f, "="); valued {
				return strings.EqualFold(w, f) || strings.EqualFold(w, flag) && i+1 < len(words) && strings.EqualFold(words[i+1], value)
			}
			if front, star := strings.CutSuffix(f, "*"); star {
				return isFlag(w, front)
			}
			if strings.EqualFold(name, f) && (len(f) > 2 || name == f) {
				return true
			}
			letters := len(f) == 2 && f[0] == '-' && len(w) > 2 && len(w) <= 6 && w[0] == '-' && w[1] != '-'
			return letters && isLetters(w[1:]) && strings.Contains(w[1:], f[1:])
		}) {
			return true
		}
	}
	return false
}

// isFlag reports whether a word may be a flag of which the table has the front: a letter anywhere behind one dash, or how it begins behind two.
func isFlag(w, front string) bool {
	if len(front) == 2 {
		return len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w[1:], front[1:])
	}
	return strings.HasPrefix(strings.ToLower(w), front)
}

func isLetters(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
