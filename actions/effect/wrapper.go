package effect

import (
	"slices"
	"strings"
)

// wrapper is a command that runs another one.
type wrapper struct {
	operands int      // before the command
	valued   []string // flags that have a value behind them
	behind   string   // a word behind which the command stands; empty: right behind the operands
	by       []string // subcommands that run one, "" for none; empty: any
}

// wrappers is the table of them.
var wrappers = map[string]wrapper{
	"sudo":    {valued: []string{"-u", "-g", "-h", "-p", "-C"}},
	"doas":    {valued: []string{"-u"}},
	"env":     {valued: []string{"-u", "-C"}},
	"nohup":   {},
	"time":    {},
	"timeout": {operands: 1, valued: []string{"-s", "-k"}},
	"nice":    {valued: []string{"-n"}},
	"ionice":  {valued: []string{"-c", "-n"}},
	"stdbuf":  {valued: []string{"-o", "-e", "-i"}},
	"setsid":  {},
	"exec":    {},
	"builtin": {},
	"xargs":   {valued: []string{"-I", "-n", "-P", "-L", "-d", "-s"}},
	"watch":   {valued: []string{"-n"}},
	"find":    {behind: "-exec"},

	// Managers of secrets that run a command with them in its environment.
	"aws-vault": {behind: "--", by: []string{"exec"}},
	"chamber":   {behind: "--", by: []string{"exec"}},
	"doppler":   {behind: "--", by: []string{"run"}},
	"dotenv":    {behind: "--", by: []string{"run", ""}},
	"dotenvx":   {behind: "--", by: []string{"run"}},
	"infisical": {behind: "--", by: []string{"run"}},
	"op":        {behind: "--", by: []string{"run"}},
	"teller":    {behind: "--", by: []string{"run"}},
}

// unwrapped returns the command that a line of words runs in the end. There is always one word.
func unwrapped(argv []string) []string {
	for range maxNested {
		argv = withoutAssignments(argv)
		if tool := ownTool(argv); tool != nil {
			return tool
		}
		w, is := wrappers[baseName(argv[0])]
		if !is {
			return argv
		}
		rest := w.rest(argv[1:])
		if len(rest) == 0 {
			return argv
		}
		argv = rest
	}
	return argv
}

// ownTool returns the tool of a project that a runner of packages is told to run: one that the table of commands knows as part of a build.
// Runners take it from the project where it is there.
func ownTool(argv []string) []string {
	operands := 0
	switch baseName(argv[0]) {
	case "npx", "bunx", "uvx", "pipx":
	case "npm", "pnpm", "yarn", "bun", "poetry", "uv", "bundle", "rye", "pdm", "hatch", "pipenv":
		if len(argv) < 3 || argv[1] != "exec" && argv[1] != "run" && argv[1] != "dlx" && argv[1] != "x" {
			return nil
		}
		operands = 1
	default:
		return nil
	}
	for _, w := range argv[1+operands:] {
		if strings.HasPrefix(w, "-") || w == "run" {
			continue
		}
		rows := commandTable()[baseName(w)]
		if len(rows) > 0 && rows[len(rows)-1].class == Build {
			return argv[slices.Index(argv, w):]
		}
		return nil
	}
	return nil
}

func (w wrapper) rest(argv []string) []string {
	if w.behind != "" {
		at := slices.IndexFunc(argv, func(a string) bool { return a == w.behind || w.behind == "-exec" && strings.HasPrefix(a, w.behind) })
		if at < 0 || len(w.by) > 0 && !slices.ContainsFunc(w.by, func(sub string) bool { return isSubcommand(sub, argv[:at]) }) {
			return nil
		}
		return argv[at+1:]
	}
	operands := w.operands
	for len(argv) > 0 {
		switch a := argv[0]; {
		case a == "--":
			return argv[1:]
		case slices.Contains(w.valued, a) && len(argv) > 1:
			argv = argv[2:]
		case strings.HasPrefix(a, "-"), assigns(a):
			argv = argv[1:]
		case operands > 0:
			operands--
			argv = argv[1:]
		default:
			return argv
		}
	}
	return nil
}

// isSubcommand reports whether words begin with a subcommand, "" for none, where flags with values may stand first.
func isSubcommand(sub string, argv []string) bool {
	if sub == "" {
		return leading(argv) == len(operandsOf(argv))
	}
	return command{sub: []string{sub}, class: plain}.fits(argv)
}

// withoutAssignments leaves out what sets variables before a command.
func withoutAssignments(argv []string) []string {
	for len(argv) > 1 && assigns(argv[0]) {
		argv = argv[1:]
	}
	return argv
}

func assigns(w string) bool {
	name, _, is := strings.Cut(w, "=")
	return is && name != "" && strings.Trim(strings.ToUpper(name), "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// remote returns the command that a client has another machine or a container run, none for other commands.
func remote(argv []string) []string {
	name, operands := baseName(argv[0]), operandsOf(argv[1:])
	switch {
	case name == "ssh" && len(operands) > 1 && !has(argv[1:], []string{"-R"}):
		return wrapper{operands: 1, valued: sshValued}.rest(argv[1:])
	case (name == "docker" || name == "podman") && len(operands) > 2 && operands[0] == "exec":
		return operands[2:]
	case name == "docker-compose" && len(operands) > 2 && operands[0] == "exec":
		return operands[2:]
	case name == "kubectl" && slices.Contains(operands, "exec"):
		if at := slices.Index(argv, "--"); at > 0 && at+1 < len(argv) {
			return argv[at+1:]
		}
	}
	return nil
}

// sshValued are the flags of ssh that have a value behind them (ssh(1)).
var sshValued = strings.Fields("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -S -W -w")

// operandsOf returns the words that are no flags.
func operandsOf(argv []string) []string {
	var all []string
	for i, a := range argv {
		if !strings.HasPrefix(a, "-") || a == "-" {
			all = append(all, argv[i])
		}
	}
	return all
}
