package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/connect"
)

// version is the one that CHANGELOG.md describes first. The linker adds the commit.
var version = "1.0.0-rc.1"

func newRoot(sys *system) *cobra.Command { return rootOf(sys, config.New()) }

func rootOf(sys *system, c *config.Config) *cobra.Command {
	root := &cobra.Command{
		Use:   "ctx-mcp",
		Short: "Governed memory and context for AI agents, over MCP",
		Long: `ctx-mcp is an MCP server that remembers for your assistant, keeps secrets out of its prompts, and stops actions that you did not ask for.

Connect a desktop assistant or an IDE agent:   ctx-mcp connect
Serve one local agent:                         ctx-mcp stdio
Serve a team over Streamable HTTP:             ctx-mcp http
See your memories:                             ctx-mcp memory brief
Look at everything in a browser:               ctx-mcp ui
Watch a short story:                           ctx-mcp demo
Check the installation:                        ctx-mcp doctor`,
		Version:       fullVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          subcommandOnly,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sys.attended() {
				return welcome(sys, c)
			}
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if name := unknownVariable(sys.environ(), func() []string { return variables(cmd.Root()) }); name != "" {
				fmt.Fprintf(sys.err, "ctx-mcp: there is no setting %s, it is ignored; ctx-mcp config show lists them\n", name)
			}
			if err := fromEnv(cmd, sys.getenv); err != nil {
				return err
			}
			if err := sys.profile.begin(sys.getenv); err != nil {
				return err
			}
			c.Input = func() ([]byte, error) {
				if what := cmd.Annotations[takesInput]; what != "" {
					return nil, usage("%s reads %s from standard input: name a file instead of -", cmd.CommandPath(), what)
				}
				return readInput(sys, stdin)
			}
			if err := c.Load(sys.getenv, given(cmd.Flags())); err != nil {
				return err
			}
			sys.pulse = startPulse(sys, cmd)
			return needStore(sys, cmd, c)
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage("%s%s", inWords(err), nearFlag(cmd, err)) })
	addFlags(root.PersistentFlags(), c, "")
	root.SetUsageTemplate(quietUsage(root))
	root.PersistentFlags().StringVar(&sys.profile.dir, "profile", "", "`folder` that gets profiles of the run: processors, memory, waiting, locks (env "+profileVariable+")")
	root.AddCommand(
		stdioCommand(sys, c), httpCommand(sys, c), tokenCommand(sys, c), toolsCommand(sys, c), configCommand(sys, c), connectCommand(sys, c), hookCommand(sys, c), gatewayCommand(sys, c),
		doctorCommand(sys, c), reviewCommand(sys, c), entityCommand(sys, c), gcCommand(sys, c), artifactCommand(sys, c),
		bundleCommand(sys, c), replayCommand(sys), exportCommand(sys, c), importCommand(sys, c), migrateCommand(sys, c), countCommand(sys, c),
		auditCommand(sys, c), checkCommand(sys, c), traceCommand(sys, c), versionCommand(sys),
		policyCommand(sys, c), demoCommand(sys), memoryCommand(sys, c), uiCommand(sys, c), manCommand(), receiptsCommand(sys, c), verifyCommand(sys, c), keysCommand(sys, c), rekeyCommand(sys, c),
	)
	for _, l := range listings[:len(listings)-1] { // the command of artifacts has one more
		root.AddCommand(listingCommand(sys, c, l))
	}
	for _, cmd := range root.Commands() {
		nameTwins(cmd)
	}
	completeFlags(sys, c, root)
	return root
}

// variables lists every variable of the environment that means something.
func variables(cmd *cobra.Command) []string {
	names := []string{"CTX_MCP_CONFIG", profileVariable, connect.TokenVariable}
	for _, s := range config.Settings() {
		names = append(names, s.Env())
	}
	var own func(*cobra.Command)
	own = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			ownFlags(sub, func(f *pflag.Flag) { names = append(names, twin(sub, f.Name)) })
			own(sub)
		}
	}
	own(cmd)
	return names
}

// twin returns the variable that stands for a flag of one command which is no setting: CTX_MCP_, the command and the flag.
func twin(cmd *cobra.Command, flag string) string {
	words := strings.Fields(cmd.CommandPath())[1:]
	return "CTX_MCP_" + strings.ToUpper(strings.ReplaceAll(strings.Join(append(words, flag), "_"), "-", "_"))
}

// ownFlags calls do for every flag of the command that is no setting.
func ownFlags(cmd *cobra.Command, do func(*pflag.Flag)) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !config.IsFlag(cmd.Name(), f.Name) && !ofEvery(cmd, f) {
			do(f)
		}
	})
}

// ofEvery reports whether the flag is one of the command and all below it, or of a command above it: after the command line is read, the flags of a
// command hold those too.
func ofEvery(cmd *cobra.Command, f *pflag.Flag) bool {
	for c := cmd; c != nil; c = c.Parent() {
		if c.PersistentFlags().Lookup(f.Name) == f {
			return true
		}
	}
	return false
}

// nameTwins adds the variables to the help texts of a command and those below it.
func nameTwins(cmd *cobra.Command) {
	ownFlags(cmd, func(f *pflag.Flag) { f.Usage += " (env " + twin(cmd, f.Name) + ")" })
	for _, sub := range cmd.Commands() {
		nameTwins(sub)
	}
}

// fromEnv sets the command's own flags that were not given from their variables.
func fromEnv(cmd *cobra.Command, getenv func(string) string) (err error) {
	ownFlags(cmd, func(f *pflag.Flag) {
		text := getenv(twin(cmd, f.Name))
		if text == "" || f.Changed || err != nil {
			return
		}
		if bad := cmd.Flags().Set(f.Name, text); bad != nil {
			err = usage("%s: %v", twin(cmd, f.Name), bad)
		}
	})
	return err
}

// quietUsage returns the form of a help text in which the flags of a command stand, and those of every command in one line.
func quietUsage(root *cobra.Command) string {
	const loud = "Global Flags:\n{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}"
	var names []string
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return strings.Replace(root.UsageTemplate(), loud, "Flags of every command, which ctx-mcp --help describes:\n  "+strings.Join(names, " "), 1)
}
