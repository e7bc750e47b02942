package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctx-mcp/ctx-mcp/config"
)

// addFlags adds the flags of a command; "" is for those of every command.
func addFlags(flags *pflag.FlagSet, c *config.Config, command string) {
	if command == "" {
		flags.StringVar(&c.File, "config", "", "configuration `file`, YAML, - for standard input (env CTX_MCP_CONFIG)")
	}
	for _, s := range config.Settings() {
		if s.Flag == "" || s.Command != command {
			continue
		}
		v := c.Value(s)
		f := flags.VarPF(v, s.Flag, "", s.Doc+" (env "+s.Env()+")")
		if v.Type() == "bool" {
			f.NoOptDefVal = "true"
		}
	}
}

// given returns a function that tells whether a flag is on the command line.
func given(flags *pflag.FlagSet) func(flag string) bool {
	var names []string
	flags.Visit(func(f *pflag.Flag) { names = append(names, f.Name) })
	return func(flag string) bool { return slices.Contains(names, flag) }
}

// unknownVariable returns a variable of the environment that begins like a setting's and is none of those known.
func unknownVariable(environ []string, known func() []string) string {
	var names []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "CTX_MCP_") {
			continue
		}
		if names == nil {
			names = known()
		}
		if !slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

// nearFlag returns what to try instead of a long flag that does not exist, or "".
func nearFlag(cmd *cobra.Command, err error) string {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := ""
	switch given := unknown.GetSpecifiedName(); len(given) {
	case 1:
		near = ownWith(cmd, given)
	case 2: // is near to too many
	default:
		near = config.Nearest(given, names)
	}
	if near == "" {
		return ""
	}
	return ": did you mean --" + near + "?"
}

// ownWith returns the one flag of the command itself, and of no other command, that begins with the letter, or "".
func ownWith(cmd *cobra.Command, letter string) string {
	var found []string
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && strings.HasPrefix(f.Name, letter) {
			found = append(found, f.Name)
		}
	})
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// inWords returns the text of an error in a flag without the words of the library that reads numbers.
func inWords(err error) string {
	text, number, of := strings.Cut(err.Error(), ": strconv.")
	switch {
	case !of:
		return text
	case strings.Contains(number, "out of range"):
		return text + ": the number is too large"
	case strings.HasPrefix(number, "ParseBool"):
		return text + ": say true or false"
	}
	return text + ": a number is meant"
}
