package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/connect"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

func configCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [client]",
		Short: "Print ready-to-paste configuration for an MCP client",
		Long: "Print ready-to-paste configuration for an MCP client: " + connect.Names() + `; all of them if none is named.
ctx-mcp connect writes it into the client's file.

Flags and CTX_MCP_ variables that are set now are carried over, so that the client starts the same server.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("%s takes one client", cmd.CommandPath())
			}
			if len(args) == 1 && config.Nearest(args[0], []string{"show"}) != "" {
				return subcommandOnly(cmd, args)
			}
			return nil
		},
		ValidArgsFunction: completingClients,
		RunE:              func(_ *cobra.Command, args []string) error { return printClients(sys, c, args) },
	}
	asJSON := false
	show := &cobra.Command{
		Use:               "show [KEY]...",
		Short:             "Print the settings in force, all or those named, with the origin of each value; secrets are masked",
		ValidArgsFunction: completingSettings,
		RunE: func(_ *cobra.Command, args []string) error {
			chosen, err := c.InForce(args...)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(sys.out, chosen)
			}
			return config.Print(sys.out, chosen)
		},
	}
	jsonFlag(show, &asJSON)
	cmd.AddCommand(show)
	return prints(aDocument, cmd)
}

func printClients(sys *system, c *config.Config, args []string) error {
	chosen := connect.Clients()
	if len(args) == 1 {
		one, err := connect.Find(args[0])
		if err != nil {
			return err
		}
		chosen = []connect.Client{one}
	}
	place, err := placeHere(sys)
	if err != nil {
		return err
	}
	server, err := serverEntry(c)
	if err != nil {
		return err
	}
	for _, cl := range chosen {
		text, err := cl.Text(server)
		if err != nil {
			return err
		}
		fmt.Fprintf(sys.out, "# %s: %s\n%s", cl.Title, wherePasted(place, cl), text)
		if cl.Name == "claude-code" {
			fmt.Fprintf(sys.out, "# or run:\nclaude mcp add ctx-mcp%s -- %s\n", envFlags(server), shellLine(server))
		}
		fmt.Fprintln(sys.out)
	}
	return nil
}

// wherePasted says which file of the client takes the text.
func wherePasted(place connect.Place, cl connect.Client) string {
	at := place.Shown(place.File(cl, connect.User))
	if file := place.File(cl, connect.Project); file != "" {
		if short, err := filepath.Rel(place.Project, file); err == nil {
			return at + ", or for one project " + filepath.ToSlash(short)
		}
	}
	return at
}

// serverEntry returns how a client starts this binary, with the settings that are in force beyond the defaults, and the tools that a
// model uses itself unless others are asked for. Secrets are left out: they belong into the configuration file or the client's own secret store.
func serverEntry(c *config.Config) (connect.Server, error) {
	path, err := os.Executable()
	if err != nil {
		return connect.Server{}, fmt.Errorf("find this program: %w", err)
	}
	args := []string{"stdio"}
	if strings.HasSuffix(c.Source("data_dir"), "data-dir") || strings.HasPrefix(c.Source("data_dir"), "$") {
		args = append(args, "--data-dir", c.DataDir)
	}
	if c.File == stdin {
		return connect.Server{}, usage("a client starts the server again and again: --config has to name a file")
	}
	if c.File != "" {
		abs, err := filepath.Abs(c.File)
		if err != nil {
			return connect.Server{}, fmt.Errorf("configuration file: %w", err)
		}
		args = append(args, "--config", abs)
	}
	env := map[string]string{}
	for _, s := range config.Settings() {
		from := c.Source(s.Key)
		given := strings.HasPrefix(from, "--") || strings.HasPrefix(from, "$")
		switch {
		case s.Key == "toolsets" && from == "default":
			args = append(args, "--toolsets="+string(tools.AgentProfile))
		case !given, s.Secret, s.Key == "data_dir", s.Command == "gateway", strings.HasPrefix(s.Key, "http."):
		case s.Flag != "":
			args = append(args, "--"+s.Flag+"="+c.Value(s).String())
		default:
			env[s.Env()] = c.Value(s).String()
		}
	}
	return connect.Server{Command: path, Args: args, Env: env}, nil
}

// envFlags returns the variables of an entry as flags of a command line.
func envFlags(server connect.Server) string {
	var flags strings.Builder
	for _, name := range slices.Sorted(maps.Keys(server.Env)) {
		flags.WriteString(" -e " + quoted(name+"="+server.Env[name]))
	}
	return flags.String()
}

// shellLine returns the entry as one line for a POSIX shell.
func shellLine(server connect.Server) string {
	words := append([]string{server.Command}, server.Args...)
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
