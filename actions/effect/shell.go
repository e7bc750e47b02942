package effect

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxNested bounds command lines in command lines.
const maxNested = 4

// script reads a command line, or several, as Bash does. A line that Bash cannot read is classified by its first word.
func (r *reading) script(line, pointer string, nested int) {
	if nested > maxNested || r.ended() {
		return
	}
	s := shell{reading: r, pointer: pointer, nested: nested, line: line}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		s.simple(strings.Fields(line))
		return
	}
	before := len(r.effects)
	for _, stmt := range file.Stmts {
		s.walk(stmt)
	}
	if len(r.effects) == before {
		r.add(Effect{Class: Read, Shown: line, Argument: pointer}) // it only sets variables, or does nothing
	}
}

// shell is a command line that is being read.
type shell struct {
	*reading
	pointer string
	line    string
	nested  int
	folder  string   // to which the line went, empty: it stays
	piped   []string // words of the commands whose output goes into another one
	leaks   bool     // one of them gives out a secret
	held    []string // variables that the line has filled with one
}

// assigned notes a variable that a command fills which gives out a secret.
func (s *shell) assigned(a *syntax.Assign) {
	if a.Name != nil && a.Value != nil && fills([]string{literal(a.Value.Parts)}) {
		s.held = append(s.held, "$"+a.Name.Value)
	}
}

// holdsSecret reports whether a word has such a variable.
func (s *shell) holdsSecret(w string) bool {
	return slices.ContainsFunc(s.held, func(name string) bool {
		behind := strings.Split(w, name)
		return slices.ContainsFunc(behind[1:], func(next string) bool {
			return next == "" || next[0] == '-' || !isWordByte(next[0]|0x20) && next[0] != '_'
		})
	})
}

// from returns a path as it is from where the line began.
func (s *shell) from(w string) string {
	w = strings.Trim(w, `"'`)
	if s.folder == "" || strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~") || strings.HasPrefix(w, "$") || strings.Contains(w, ":") {
		return w
	}
	return path.Join(s.folder, w)
}

// goes follows a line to the folder that it changes to. Where that is not known, it counts as the one where the line began.
func (s *shell) goes(rest []string) {
	operands := operandsOf(rest)
	switch {
	case len(operands) == 0:
		s.folder = "~"
	case operands[0] == "-" || strings.ContainsAny(operands[0], "*("):
		s.folder = ""
	default:
		s.folder = s.from(operands[0])
	}
}

// walk goes through everything that a statement runs, substitutions and here-documents too.
func (s *shell) walk(node syntax.Node) {
	syntax.Walk(node, func(n syntax.Node) bool {
		if s.ended() {
			return false
		}
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				s.piped = append(s.piped, slices.Concat(calls(n.X)...)...)
				s.leaks = s.leaks || readsSecret(calls(n.X))
			}
			if (n.Op == syntax.Pipe || n.Op == syntax.PipeAll) && interprets(n.Y) && s.foreign(n.X) {
				s.add(Effect{Class: RunFetched, Shown: s.text(n), Argument: s.pointer, Deciding: s.hostsIn(n)})
			}
		case *syntax.Stmt:
			s.redirects(n)
		case *syntax.Assign:
			s.assigned(n)
		case *syntax.DeclClause:
			if argv := declared(n); readsSecret([][]string{argv}) {
				s.simple(argv)
			}
		case *syntax.CallExpr:
			if argv := words(n.Args); len(argv) > 0 {
				s.call(n, argv)
			}
		}
		return true
	})
}

// text returns a part of the line as it is written.
func (s *shell) text(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from >= to || to > len(s.line) {
		return s.line
	}
	return strings.TrimSpace(s.line[from:to])
}

// Commands by what they are to others.
var (
	interpreters = strings.Fields("sh bash zsh dash ksh fish ash python python2 python3 perl ruby node php lua pwsh powershell iex invoke-expression source . eval osascript deno bun")
	fetchers     = strings.Fields("curl wget http https xh iwr irm invoke-webrequest invoke-restmethod fetch aria2c lynx")
	decoders     = strings.Fields("base64 base32 xxd openssl")
)

// interprets reports whether a command executes its standard input as code.
func interprets(node syntax.Node) bool {
	return slices.ContainsFunc(calls(node), func(argv []string) bool {
		if !slices.Contains(interpreters, baseName(argv[0])) {
			return false
		}
		return !slices.ContainsFunc(argv[1:], func(w string) bool { return !strings.HasPrefix(w, "-") && isPath(w) })
	})
}

// foreign reports whether a command produces content from outside of the workspace: from the network, or by decoding a text.
func (s *shell) foreign(node syntax.Node) bool {
	return slices.ContainsFunc(calls(node), func(argv []string) bool {
		name := baseName(argv[0])
		if slices.Contains(fetchers, name) {
			return !onlyHere(argv)
		}
		return slices.Contains(decoders, name) && has(argv[1:], []string{"-d", "-D", "--decode", "-r"})
	})
}

// onlyHere reports whether all addresses of a command are of this machine.
func onlyHere(argv []string) bool {
	n := 0
	for _, w := range argv[1:] {
		if h := HostOf(w); h != "" || strings.HasPrefix(w, "localhost") {
			if n++; !IsHere(h) && !strings.HasPrefix(w, "localhost") {
				return false
			}
		}
	}
	return n > 0
}

func (s *shell) hostsIn(node syntax.Node) []Value {
	var all []Value
	for _, argv := range calls(node) {
		for _, w := range argv[1:] {
			if HostOf(w) != "" {
				all = append(all, Value{Host, w, s.pointer})
			}
		}
	}
	return all
}

// redirects looks at where the output of a statement goes, and at a here-document that a shell or an interpreter runs.
func (s *shell) redirects(stmt *syntax.Stmt) {
	runs, runsCode := false, false
	if c, is := stmt.Cmd.(*syntax.CallExpr); is && len(c.Args) > 0 {
		name := baseName(unwrapped(words(c.Args))[0])
		runs, runsCode = slices.Contains(interpreters[:7], name), languageOf(name) != ""
	}
	for _, redirect := range stmt.Redirs {
		if host := socketOf(redirect); host != "" {
			s.socket(stmt, host, runs)
			continue
		}
		switch redirect.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
			if to := literal(redirect.Word.Parts); !slices.Contains(idleDevices, to) && !strings.HasPrefix(to, "/dev/fd/") && !strings.HasPrefix(to, "&") {
				s.write(to, stmt, redirect.Op != syntax.AppOut)
			}
		case syntax.Hdoc, syntax.DashHdoc:
			if runs && redirect.Hdoc != nil {
				s.reading.script(literal(redirect.Hdoc.Parts), s.pointer, s.nested+1)
			}
			if runsCode && redirect.Hdoc != nil {
				s.code(literal(redirect.Hdoc.Parts), s.pointer, s.nested)
			}
		}
	}
}

// socketOf returns the host to which Bash connects what a redirection names (Bash manual, 3.6 Redirections), "" for a file.
func socketOf(redirect *syntax.Redirect) string {
	if redirect.Word == nil {
		return ""
	}
	parts := strings.Split(literal(redirect.Word.Parts), "/")
	if len(parts) < 5 || parts[1] != "dev" || parts[2] != "tcp" && parts[2] != "udp" {
		return ""
	}
	return parts[3]
}

// socket adds the effect of a redirection to another machine: data goes there, or to a shell from there.
func (s *shell) socket(stmt *syntax.Stmt, host string, runs bool) {
	e := Effect{Class: NetworkWrite, Shown: s.text(stmt), Argument: s.pointer, Deciding: []Value{{Host, host, s.pointer}}, Sends: []string{s.text(stmt)}}
	switch {
	case IsHere(host):
		e.Class = Build
	case runs:
		e.Class = RunFetched
	}
	s.add(e)
}

// write adds the effect of writing a file.
func (s *shell) write(to string, stmt *syntax.Stmt, over bool) {
	s.runs([]string{writing, s.from(to)})
	e := Effect{Shown: s.text(stmt), Argument: s.pointer, Deciding: []Value{{Path, to, s.pointer}}}
	e.Class, e.Over = s.classOfWriting(s.from(to), over)
	if e.Class.Danger() > 2 {
		e.Deciding = append(e.Deciding, s.written(stmt)...)
	}
	if slices.ContainsFunc(calls(stmt), func(argv []string) bool { return slices.ContainsFunc(argv[1:], IsSecret) }) {
		e.Copies = []string{path.Clean(s.from(to))}
		s.reading.call.Copies = slices.Concat(s.reading.call.Copies, e.Copies)
	}
	e.Reaches = e.Class == Persist && reaches(s.line)
	s.add(e)
}

// reaches reports whether a line has a command that gets or sends something on the network, also in a text that it writes.
func reaches(line string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`()|;&<>$", r) }), func(w string) bool {
		return slices.Contains(fetchers, w) || slices.Contains(connecting, w)
	})
}

// connecting are commands that send something over the network, besides those that fetch.
var connecting = strings.Fields("nc ncat netcat socat telnet ssh scp sftp ftp")

// written returns the texts that a statement writes, and the addresses and codes in them.
func (s *shell) written(stmt *syntax.Stmt) []Value {
	var texts []string
	for _, argv := range calls(stmt) {
		texts = append(texts, argv[1:]...)
	}
	for _, redirect := range stmt.Redirs {
		if redirect.Hdoc != nil {
			texts = append(texts, literal(redirect.Hdoc.Parts))
		}
	}
	const long = 12 // bytes from which a text is no plain word
	var all []Value
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); len(line) >= long {
				all = append(all, Value{Content, line, s.pointer})
			}
		}
		for w := range strings.FieldsSeq(text) {
			if w = strings.Trim(w, `"';`); len(w) >= long && w != text {
				all = append(all, Value{Content, w, s.pointer})
			}
		}
	}
	return all[:min(len(all), 32)]
}

// classOfWriting returns the class of a write to a path, and whether a file outside of the workspace may be overwritten. anew says that the call writes
// the file whole: it does not append, and the file has neither a new name nor one of its own.
func (r *reading) classOfWriting(to string, anew bool) (c Class, over bool) {
	over = anew && r.outside(to)
	switch c := placeOf(to); {
	case c == secret && isSSH(to):
		return Security, over
	case c == Persist || c == Access || c == Security:
		return c, over
	case over:
		return Destroy, true
	default:
		return Local, false
	}
}

func isSSH(path string) bool { return slices.Contains(segmentsOf(path), ".ssh") }

// call classifies one command, and the commands that it wraps.
func (s *shell) call(n *syntax.CallExpr, argv []string) {
	argv = unwrapped(argv)
	name := baseName(argv[0])
	if slices.Contains(interpreters, name) {
		for _, a := range n.Args {
			if s.foreignSubstitution(a) {
				s.add(Effect{Class: RunFetched, Shown: s.text(n), Argument: s.pointer, Deciding: s.hostsIn(n)})
				return
			}
		}
	}
	if name == "cd" || name == "pushd" {
		s.goes(argv[1:])
	}
	s.simple(argv)
}

// foreignSubstitution reports whether a word is what a command brings from the network.
func (s *shell) foreignSubstitution(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			found = found || slices.ContainsFunc(n.Stmts, func(st *syntax.Stmt) bool { return s.foreign(st) })
		case *syntax.ProcSubst:
			found = found || slices.ContainsFunc(n.Stmts, func(st *syntax.Stmt) bool { return s.foreign(st) })
		}
		return !found
	})
	return found
}

// baseName returns the name of a command without its folder, in lower case.
func baseName(word string) string {
	word = strings.ToLower(word)
	if at := strings.LastIndexAny(word, `/\`); at >= 0 && at+1 < len(word) {
		word = word[at+1:]
	}
	return strings.TrimSuffix(word, ".exe")
}
