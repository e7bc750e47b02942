package effect

import (
	_ "embed" // for the table
	"path"
	"regexp"
	"strings"
	"sync"
)

//go:embed hooks.tsv
var hookRows string

// hookTable holds the patterns of commands that a package manager runs by itself, by the names of the files that have them.
var hookTable = sync.OnceValue(func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for _, row := range RowsOf(hookRows, 3) {
		all[row[0]] = regexp.MustCompile(`"(?:` + strings.ReplaceAll(row[1], ",", "|") + `)"\s*:([^\n]*)`)
	}
	return all
})

// hooked makes an effect that writes a file one that leaves something to run later, where the text has a command which a package manager runs by itself, and
// that reaches the network: it runs with everybody who installs the project.
func (r *reading) hooked(e Effect) Effect {
	if e.Class != Local {
		return e
	}
	for _, at := range r.arguments {
		form := hookTable()[strings.ToLower(path.Base(at.text))]
		if form == nil || !at.named(keys.paths) {
			continue
		}
		for _, a := range r.arguments {
			for _, m := range form.FindAllStringSubmatch(a.text, 16) {
				if a.key != "oldstring" && a.key != "oldtext" && a.key != "old" && reaches(m[1]) {
					e.Class, e.Reaches, e.Argument, e.Deciding = Persist, true, a.pointer, append([]Value{{Path, at.text, at.pointer}}, contents(e.Deciding)...)
				}
			}
		}
	}
	return e
}
