package wire

import "strings"

// Asked is the question of a command line to a hook.
type Asked struct {
	Client  string
	DataDir string // from the flag or the environment
}

// Parse reads a command line, "hook CLIENT --data-dir=DIR …". It reports false for one that takes the ordinary way: another command, a flag whose
// value may stand apart, a call for help, or one that names no data directory.
func Parse(args []string, getenv func(string) string) (Asked, bool) {
	if len(args) < 2 || args[0] != "hook" || strings.HasPrefix(args[1], "-") || args[1] == "serve" || args[1] == "stop" {
		return Asked{}, false
	}
	a := Asked{Client: args[1], DataDir: getenv("CTX_MCP_DATA_DIR")}
	for _, arg := range args[2:] {
		if dir, ok := strings.CutPrefix(arg, "--data-dir="); ok {
			a.DataDir = dir
		} else if !strings.HasPrefix(arg, "--") || !strings.Contains(arg, "=") {
			return Asked{}, false
		}
	}
	return a, a.DataDir != ""
}
