package effect

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// simple classifies one command without what wraps it.
func (s *shell) simple(argv []string) {
	if len(argv) == 0 || s.ended() {
		return
	}
	name, rest := baseName(argv[0]), argv[1:]
	shown := strings.Join(argv, " ")
	if name == "git" {
		s.configured(rest)
	}
	if inside := remote(argv); inside != nil {
		before := s.behind
		s.behind = append(before[:len(before):len(before)], argv[:len(argv)-len(inside)]...)
		s.reading.script(strings.Join(inside, " "), s.pointer, s.nested+1)
		s.behind = before
		return
	}
	s.runs(argv)
	if line, is := evaluated(name, rest); is {
		s.reading.script(line, s.pointer, s.nested+1)
		return
	}
	if text, is := codeIn(name, rest); is && s.code(text, s.pointer, s.nested) {
		return
	}
	e := Effect{Class: s.classOf(name, argv, rest), Shown: shown, Argument: s.pointer, Deciding: s.decidingOf(rest), Makes: makesOf(name, rest)}
	if name == "git" {
		s.stages(&e, rest)
	}
	if e.Class == toAll {
		e.Class, e.Public = NetworkWrite, true
	}
	if (e.Class == Change || e.Class == Install) && slices.Contains(appliers, name) && slices.ContainsFunc(rest, isApplied) {
		e.Class = RunFetched
	}
	switch {
	case IsCloud(name):
		e = s.cloud(e, rest)
	case name == "rsync" && !slices.ContainsFunc(rest, isElsewhere):
		e.Class = Local
		e = s.file(name, e, rest)
	case e.Class == NetworkRead || e.Class == NetworkWrite || e.Class == Message:
		e = s.network(name, e, rest)
	case slices.Contains(databases, name):
		if s.database(rest) {
			return
		}
	case e.Class == Local:
		e = s.file(name, e, rest)
		s.copied(&e, name, rest)
	case e.Class == Read:
		e.Secret = slices.ContainsFunc(rest, IsSecret) || !tellsNames(name, rest) && secretWords(rest) && !slices.Contains(operandsOf(rest), "list")
	}
	e.opens(name, rest)
	e.Reaches = e.Class == Persist && reaches(s.line)
	if e.Class.Danger() < Security.Danger() && grantsAll(rest) && e.Class.Danger() >= 2 {
		e.Class = Security
	}
	s.add(e)
}

// configured adds the effect of a setting that git is given for one command, by -c.
func (s *shell) configured(rest []string) {
	for i, w := range rest[:max(0, len(rest)-1)] {
		name, value, _ := strings.Cut(rest[i+1], "=")
		if w == "-c" && value != "" {
			if c := s.classOf("git", []string{"git"}, []string{"config", name, value}); c.Danger() > 2 {
				s.add(Effect{Class: c, Shown: "git -c " + rest[i+1], Argument: s.pointer, Deciding: s.decidingOf([]string{value})})
			}
		}
	}
}

// appliers carry out, or install, what stands at an address.
var appliers = strings.Fields("kubectl oc helm pip pip3 pipx uv npm yarn pnpm gem brew dpkg rpm dnf yum apt apt-get ansible-pull snap flatpak msiexec")

// isApplied reports whether an operand is the address of a file to apply, not a value to set, as in "set env A=https://…".
func isApplied(w string) bool {
	name, _, assigns := strings.Cut(w, "=")
	if assigns && (!strings.HasPrefix(w, "-") && !strings.Contains(name, ":") || slices.Contains([]string{"--set", "--set-string", "--from-literal", "--env", "--annotation", "--label"}, name)) {
		return false
	}
	return isRemote(w)
}

// isRemote reports whether an operand is an address of another machine.
func isRemote(w string) bool {
	return (strings.Contains(w, "://") || strings.HasPrefix(w, "git+")) && !strings.HasPrefix(w, "oci://") && !IsHere(HostOf(strings.TrimPrefix(w, "git+")))
}

// evaluated returns the command line that a shell is given as one word.
func evaluated(name string, rest []string) (string, bool) {
	if name == "eval" {
		return strings.Join(rest, " "), len(rest) > 0
	}
	if !slices.Contains(interpreters[:7], name) && name != "su" {
		return "", false
	}
	for i, w := range rest {
		if strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "c") && i+1 < len(rest) {
			return rest[i+1], true
		}
	}
	return "", false
}

// classOf looks a command up. A command that runs a file of the project builds it; a file that came from the network is run as fetched.
func (s *shell) classOf(name string, argv, rest []string) Class {
	run := argv[0]
	if slices.Contains(interpreters, name) && len(operandsOf(rest)) > 0 {
		run = operandsOf(rest)[0]
	}
	if s.isFetched(run) {
		return RunFetched
	}
	for _, row := range commandTable()[name] {
		switch {
		case !row.fits(rest):
		case row.class == toAll && has(rest, []string{"--dry-run"}):
			return Build
		case slices.Contains(rehearsing, name) && isRehearsed(rest):
			return Read
		default:
			return row.resolved(rest)
		}
	}
	if strings.HasPrefix(argv[0], "./") || strings.HasPrefix(argv[0], "../") || strings.Contains(argv[0], "node_modules/") || strings.Contains(argv[0], "/") && !s.outside(argv[0]) {
		return Build
	}
	return Unknown
}

// rehearsing are clients that do nothing where they are told to rehearse.
var rehearsing = strings.Fields("kubectl oc helm")

// isRehearsed reports whether the operands have a client do nothing: the last of its words for that counts, before the command line that it hands on.
func isRehearsed(rest []string) (rehearsed bool) {
	for _, w := range rest {
		switch value, is := strings.CutPrefix(w, "--dry-run"); {
		case w == "--":
			return rehearsed
		case w == "--no-dry-run":
			rehearsed = false
		case is:
			rehearsed = slices.Contains([]string{"", "=client", "=server", "=true"}, value)
		}
	}
	return rehearsed
}

func (s *shell) isFetched(file string) bool {
	clean := path.Clean(file)
	return slices.Contains(s.fetched, clean) || s.reading.call.Fetched != nil && s.reading.call.Fetched(clean)
}

// fits reports whether the operands begin with the subcommand of the row, where flags with a value may stand first, and a flag of the row is
// there.
func (c command) fits(rest []string) bool {
	if len(c.flags) > 0 && !has(rest, c.flags) {
		return false
	}
	if len(c.sub) == 0 {
		return true
	}
	operands, sub := operandsOf(rest), c.sub
	if sub[0][0] == '-' {
		operands = rest
	}
	ends := sub[len(sub)-1] == "."
	if ends {
		sub = sub[:len(sub)-1]
	}
	skipped := leading(rest)
	if c.class != plain {
		skipped = max(skipped, 2) // the order of the flags may be another
	} else if c.contradicted(rest) {
		return false
	}
	for from := 0; from <= min(skipped, len(operands)-len(sub)); from++ {
		if slices.EqualFunc(operands[from:from+len(sub)], sub, alike) && (!ends || from+len(sub) == len(operands)) {
			return true
		}
	}
	return false
}

// leading counts the operands before the subcommand that may be values of flags: each stands right behind a flag.
func leading(rest []string) (n int) {
	for i, w := range rest {
		switch flag := strings.HasPrefix(w, "-"); {
		case !flag && (i == 0 || !strings.HasPrefix(rest[i-1], "-") || strings.Contains(rest[i-1], "=")):
			return n
		case !flag:
			n++
		}
	}
	return n
}

// contradicted reports whether a flag that the row has with a value is there with another one too: the last one counts.
func (c command) contradicted(rest []string) bool {
	for i, w := range rest {
		if !has(rest[i:min(i+2, len(rest))], c.flags) && slices.ContainsFunc(c.flags, func(f string) bool {
			flag, _, valued := strings.Cut(f, "=")
			return valued && isFlag(w, flag)
		}) {
			return true
		}
	}
	return false
}

// alike reports whether a word is that of a row, where a star stands for anything. Case does not tell two words apart.
func alike(word, pattern string) bool {
	front, end, star := strings.Cut(pattern, "*")
	if !star {
		return strings.EqualFold(word, pattern)
	}
	word = strings.ToLower(word)
	return len(word) >= len(front)+len(end) && strings.HasPrefix(word, front) && strings.HasSuffix(word, end)
}

// resolved returns the class of a row for a command: one that installs, if an operand names a package; that of a request.
func (c command) resolved(rest []string) Class {
	switch c.class {
	case byPackage:
	case byRequest:
		return classOfAPI(rest)
	default:
		return c.class
	}
	operands := operandsOf(rest)
	for _, o := range operands[min(len(c.sub), len(operands)):] {
		if o != "." && !strings.HasPrefix(o, "./") && !strings.HasPrefix(o, "../") && !strings.HasPrefix(o, ".[") {
			return Install
		}
	}
	return Build
}

// decidingOf returns the operands of a command, and the values of its flags, as values that decide.
func (s *shell) decidingOf(rest []string) []Value {
	var all []Value
	for i, w := range rest {
		if i > 0 && rest[i-1] == "config" && settingName.MatchString(w) {
			all = append(all, Value{Subject, w, s.pointer})
			continue
		}
		if strings.HasPrefix(w, "-") {
			_, value, has := strings.Cut(w, "=")
			if !has {
				continue
			}
			w = value
		}
		if w = strings.Trim(w, `"'`); len(w) > 1 {
			all = append(all, Value{roleOf(w), w, s.pointer})
		}
	}
	return all
}

// settingName matches the name of a setting, which looks like that of a host: remote.origin.url (git-config(1)).
var settingName = regexp.MustCompile(`^[A-Za-z][\w-]*(?:\.[\w-]+)+$`)

// roleOf tells the role of a word by its form.
func roleOf(w string) Role {
	switch {
	case strings.Contains(w, "://"), strings.HasPrefix(strings.ToLower(w), "www."):
		return Host
	case mailForm.FindString(w) == w:
		return Recipient
	case strings.Contains(w, "@") && strings.Contains(w, ":"):
		return Host
	case HostOf(w) != "" && !strings.HasPrefix(w, "/") && !strings.HasPrefix(w, "."):
		return Host
	case isPath(w):
		return Path
	default:
		return Subject
	}
}

// databases are clients that run statements.
var databases = []string{"psql", "mysql", "mariadb", "sqlite3", "duckdb", "sqlcmd", "clickhouse-client", "mongosh", "mongo", "cqlsh", "bq"}

// database reads the statements that a client of a database is given.
func (s *shell) database(rest []string) bool {
	found := false
	for _, w := range rest {
		for _, e := range sqlEffects(w, s.pointer) {
			if strings.Contains(strings.TrimSpace(w), " ") {
				found = true
				s.add(e)
			}
		}
	}
	if !found {
		s.add(Effect{Class: Read, Shown: s.line, Argument: s.pointer})
	}
	return true
}
