package effect

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

//go:embed code.tsv
var codeRows string

// The deeds of code, as their table has them.
const (
	runsLines = "shell"
	runsCode  = "run"
	sends     = "send"
	fetches   = "fetch"
	removes   = "remove"
	writes    = "write"
	appends   = "append"
	atHome    = "home"
)

// deedOf is a row of the table of code.
type deedOf struct{ word, deed, sample string }

var codeTable = sync.OnceValue(func() []deedOf {
	var all []deedOf
	for _, row := range RowsOf(codeRows, 3) {
		all = append(all, deedOf{row[0], row[1], row[2]})
	}
	return all
})

// codeFlags are the flags behind which an interpreter is given code, by its name without a version.
var codeFlags = map[string]string{
	"python": "c", "pypy": "c", "perl": "eE", "ruby": "e", "node": "ep", "bun": "ep", "php": "r", "lua": "e", "osascript": "e", "rscript": "e",
}

// languageOf returns the name of an interpreter without its version, "" for another command.
func languageOf(name string) string {
	name = strings.TrimRight(name, "0123456789.")
	if _, is := codeFlags[name]; is || name == "deno" {
		return name
	}
	return ""
}

// codeIn returns the code that an interpreter is given as one word.
func codeIn(name string, rest []string) (string, bool) {
	name = languageOf(name)
	for i, w := range rest[:max(0, len(rest)-1)] {
		short := strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && len(w) < 6 && name != "deno" && name != ""
		switch {
		case short && strings.Contains(codeFlags[name], w[len(w)-1:]), name == "deno" && w == "eval", name != "" && (w == "--eval" || w == "--print"):
			return rest[i+1], true
		case !strings.HasPrefix(w, "-"):
			return "", false // a file, whose arguments follow
		}
	}
	return "", false
}

const maxCode = 1 << 16 // bytes of code that are read

// code adds the effects of code in another language than that of the shell, as far as its words and its texts tell. It reports whether there were any.
func (r *reading) code(text, pointer string, nested int) bool {
	if nested > maxNested || r.ended() {
		return false
	}
	text = text[:min(len(text), maxCode)]
	c := coded{reading: r, pointer: pointer, text: text, done: deedsIn(text)}
	before := len(r.effects)
	for _, line := range c.lines() {
		r.script(line, pointer, nested+1)
	}
	c.texts(literalsIn(text))
	c.paths()
	c.addresses()
	return len(r.effects) > before
}

// coded is code that is being read.
type coded struct {
	*reading
	pointer, text string
	done          map[string]bool // deeds
	files, hosts  []string
}

// deedsIn returns the deeds of code. Spaces and quotes in it say nothing.
func deedsIn(text string) map[string]bool {
	done := map[string]bool{}
	lower := strings.ToLower(text)
	plain := strings.NewReplacer(" ", "", `"`, "", "'", "").Replace(lower)
	for _, row := range codeTable() {
		if hasWord(lower, row.word) || hasWord(plain, row.word) {
			done[row.deed] = true
		}
	}
	return done
}

// hasWord reports whether a word stands in code with no letter before it.
func hasWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		at := from + i
		if at == 0 || !isLetters(word[:1]) || !isLetters(text[at-1:at]) && text[at-1] != '_' {
			return true
		}
		from = at + 1
	}
}

// lines returns the command lines that code runs: its texts, or a list of texts as one line.
func (c *coded) lines() []string {
	if !c.done[runsLines] {
		return nil
	}
	var all []string
	for rest := c.text; ; {
		open := strings.IndexByte(rest, '[')
		if open < 0 {
			break
		}
		end := strings.IndexByte(rest[open:], ']')
		if end < 0 {
			break
		}
		if words := literalsIn(rest[open : open+end]); len(words) > 1 {
			all = append(all, strings.Join(words, " "))
		}
		rest = rest[open+end:]
	}
	for _, text := range literalsIn(c.text) {
		if strings.Contains(text, " ") || isPath(text) {
			all = append(all, text)
		}
	}
	return all
}

// texts sorts the texts of code into files and hosts.
func (c *coded) texts(all []string) {
	for _, text := range all {
		switch {
		case HostOf(text) != "" && !strings.ContainsAny(text, " \n") && !strings.HasPrefix(text, "/"):
			c.hosts = append(c.hosts, text)
		case c.done[atHome] && text != "":
			c.files = append(c.files, "~/"+strings.TrimLeft(text, "/"))
		case isPath(text) && !strings.ContainsAny(text, " \n"):
			c.files = append(c.files, text)
		}
	}
}

// paths adds the effects on files.
func (c *coded) paths() {
	anew := c.done[removes] || c.done[writes]
	for _, file := range c.files {
		at := []Value{{Path, file, c.pointer}}
		switch {
		case (anew || c.done[appends]) && !c.done[runsLines]:
			class, over := c.classOfWriting(file, anew)
			c.add(Effect{Class: class, Over: over && !c.done[removes], Removes: class == Local && c.done[removes], Shown: c.text, Argument: c.pointer, Deciding: at})
		case IsSecret(file):
			c.add(Effect{Class: Read, Secret: true, Shown: c.text, Argument: c.pointer, Deciding: at})
		}
	}
}

// addresses adds the effects on the network.
func (c *coded) addresses() {
	if !c.done[sends] && !c.done[fetches] {
		return
	}
	e := Effect{Class: NetworkRead, Shown: c.text, Argument: c.pointer}
	for _, host := range c.hosts {
		if !IsHere(HostOf(host)) {
			e.Deciding = append(e.Deciding, Value{Host, host, c.pointer})
			e.Sends = append(e.Sends, Carried(host)...)
		}
	}
	switch {
	case len(e.Deciding) == 0:
		return
	case c.done[runsCode] && c.done[fetches]:
		e.Class = RunFetched
	case c.done[sends] || slices.ContainsFunc(c.files, IsSecret):
		e.Class, e.Sends = NetworkWrite, append(e.Sends, c.text)
		e.Leaks = environment.MatchString(c.text)
	}
	c.add(e)
}

// environment matches the whole environment of a process in code, and not one variable of it.
var environment = language.NewPattern(`\bos\.environ\b(?:[^.\[]|$)|\bos\.environ\.(?:items|copy|values)|\bprocess\.env\b(?:[^.\[]|$)|\bENV\.(?:to_h|to_a|map|each|inspect)|%ENV\b|\bgetenv\(\)`)

// literalsIn returns the texts in quotes in code.
func literalsIn(text string) []string {
	var all []string
	for i := 0; i < len(text); i++ {
		quote := text[i]
		if quote != '"' && quote != '\'' && quote != '`' {
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != quote {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			return all
		}
		all = append(all, text[i+1:end])
		i = end
	}
	return all
}
