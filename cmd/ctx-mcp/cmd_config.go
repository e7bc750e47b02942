package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
)

func configCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [client]",
		Short: "Print ready-to-paste configuration for an MCP client",
		Long: "Print ready-to-paste configuration for an MCP client: " + clientNames() + `; all of them if none is named.

Flags and CTX_MCP_ variables that are set now are carried over, so that the client starts the same server.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("%s takes one client", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return printClients(sys, c, args) },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "show",
		Short: "Print every setting in force and where its value came from, secrets masked",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return c.Show(sys.out) },
	})
	return cmd
}

// mcpClient is a program that starts MCP servers.
type mcpClient struct {
	name, title string
	where       func() string // the file to paste into
	text        func(server map[string]any) any
	command     func(server map[string]any) string // a command line that does the same, if the client has one
}

var clients = []mcpClient{
	{name: "claude-desktop", title: "Claude Desktop", where: claudeDesktopFile, text: mcpServers},
	{name: "claude-code", title: "Claude Code", where: fixed(".mcp.json in the project, or the command below"), text: typed(mcpServers),
		command: func(server map[string]any) string {
			return "claude mcp add ctx-mcp" + envFlags(server) + " -- " + shellLine(server)
		}},
	{name: "vscode", title: "VS Code", where: fixed(".vscode/mcp.json"), text: typed(func(server map[string]any) any {
		return map[string]any{"servers": map[string]any{"ctx-mcp": server}}
	})},
	{name: "cursor", title: "Cursor", where: fixed(".cursor/mcp.json, or ~/.cursor/mcp.json for all projects"), text: mcpServers},
}

func clientNames() string {
	names := make([]string, len(clients))
	for i, c := range clients {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

func fixed(text string) func() string { return func() string { return text } }

func mcpServers(server map[string]any) any {
	return map[string]any{"mcpServers": map[string]any{"ctx-mcp": server}}
}

// typed adds the transport's name, which some clients ask for.
func typed(form func(map[string]any) any) func(map[string]any) any {
	return func(server map[string]any) any {
		server["type"] = "stdio"
		return form(server)
	}
}

func claudeDesktopFile() string {
	const name = "claude_desktop_config.json"
	switch runtime.GOOS {
	case "darwin":
		return "~/Library/Application Support/Claude/" + name
	case "windows":
		return `%APPDATA%\Claude\` + name
	default:
		return "~/.config/Claude/" + name
	}
}

func printClients(sys *system, c *config.Config, args []string) error {
	chosen := clients
	if len(args) == 1 {
		chosen = nil
		for _, cl := range clients {
			if cl.name == args[0] {
				chosen = []mcpClient{cl}
			}
		}
		if chosen == nil {
			return usage("client %q is not known: use one of %s", args[0], clientNames())
		}
	}
	for _, cl := range chosen {
		server, err := serverEntry(c)
		if err != nil {
			return err
		}
		text, err := json.MarshalIndent(cl.text(server), "", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(sys.out, "# %s: %s\n%s\n", cl.title, cl.where(), text)
		if cl.command != nil {
			fmt.Fprintf(sys.out, "# or run:\n%s\n", cl.command(server))
		}
		fmt.Fprintln(sys.out)
	}
	return nil
}

// serverEntry returns how a client starts this binary, with the settings that are in force beyond the defaults. Secrets
// are left out: they belong into the configuration file or the client's own secret store.
func serverEntry(c *config.Config) (map[string]any, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	args := []string{"stdio"}
	if strings.HasSuffix(c.Source("data_dir"), "data-dir") || strings.HasPrefix(c.Source("data_dir"), "$") {
		args = append(args, "--data-dir", c.DataDir)
	}
	if c.File != "" {
		abs, err := filepath.Abs(c.File)
		if err != nil {
			return nil, fmt.Errorf("configuration file: %w", err)
		}
		args = append(args, "--config", abs)
	}
	env := map[string]string{}
	for _, s := range config.Settings() {
		from := c.Source(s.Key)
		given := strings.HasPrefix(from, "--") || strings.HasPrefix(from, "$")
		switch {
		case !given, s.Secret, s.Key == "data_dir", strings.HasPrefix(s.Key, "http."):
		case s.Flag != "":
			args = append(args, "--"+s.Flag+"="+c.Value(s).String())
		default:
			env[s.Env()] = c.Value(s).String()
		}
	}
	server := map[string]any{"command": path, "args": args}
	if len(env) > 0 {
		server["env"] = env
	}
	return server, nil
}

// envFlags returns the variables of an entry as flags of a command line.
func envFlags(server map[string]any) string {
	env, _ := server["env"].(map[string]string)
	var flags strings.Builder
	for _, name := range slices.Sorted(maps.Keys(env)) {
		flags.WriteString(" -e " + quoted(name+"="+env[name]))
	}
	return flags.String()
}

// shellLine returns the entry as one line for a POSIX shell.
func shellLine(server map[string]any) string {
	words := append([]string{server["command"].(string)}, server["args"].([]string)...)
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

// quoted returns a word as a POSIX shell reads it.
func quoted(word string) string {
	if !strings.ContainsAny(word, " '\"$&|;<>()*?#~`\\") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
