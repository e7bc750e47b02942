package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func manCommand() *cobra.Command {
	return prints(nothing, &cobra.Command{
		Use: "man FOLDER", Hidden: true,
		Short: "Write a manual page of each command into a folder",
		Args:  exactly(1, "name the folder: ctx-mcp man FOLDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return mistakenFile(err)
			}
			for name, text := range manual(cmd.Root()) {
				if err := os.WriteFile(filepath.Join(args[0], name), []byte(text), 0o644); err != nil {
					return mistakenFile(err)
				}
			}
			return nil
		},
	})
}

// manual returns the manual pages of a command and those below it, in roff with the macros of man(7), by the names of their files.
func manual(cmd *cobra.Command) map[string]string {
	pages := map[string]string{pageName(cmd) + ".1": manPage(cmd)}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() || sub.Name() == "completion" {
			continue
		}
		for name, text := range manual(sub) {
			pages[name] = text
		}
	}
	return pages
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage writes the page of one command. Defaults that follow from the machine are left out: every machine writes the same pages.
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"ctx-mcp %s\"\n", roff(strings.ToUpper(pageName(cmd))), roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n", roff(pageName(cmd)), roff(cmd.Short), roff(cmd.UseLine()))
	if cmd.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", manText(cmd.Long))
	}
	var also []string
	if cmd.HasParent() {
		also = append(also, pageName(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" {
			also = append(also, pageName(sub))
		}
	}
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	if len(also) > 0 {
		b.WriteString(".SH SEE ALSO\n")
		for i, name := range also {
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(name), map[bool]string{true: ","}[i < len(also)-1])
		}
	}
	return b.String()
}

// ofMachine are the flags whose defaults follow from the machine.
var ofMachine = []string{"data-dir", "user"}

func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, text := pflag.UnquoteUsage(f)
		fmt.Fprintf(b, ".TP\n.B \\-\\-%s", roff(f.Name))
		if value != "" {
			fmt.Fprintf(b, " %s", roff(value))
		}
		fmt.Fprintf(b, "\n%s", manText(text))
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && !slices.Contains(ofMachine, f.Name) {
			fmt.Fprintf(b, ".br\nDefault: %s.\n", roff(f.DefValue))
		}
	})
}

// manText writes a text: paragraphs are filled, and lines that begin with spaces stand as they are.
func manText(text string) string {
	var b strings.Builder
	literal := false
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		line = strings.TrimSuffix(line, "\n")
		if as := strings.HasPrefix(line, " "); as != literal && line != "" {
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[as])
			literal = as
		}
		switch {
		case line == "":
			b.WriteString(".PP\n")
		case strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'"):
			b.WriteString(`\&` + roff(line) + "\n")
		default:
			b.WriteString(roff(line) + "\n")
		}
	}
	if literal {
		b.WriteString(".fi\n")
	}
	return b.String()
}

// roff writes a text so that roff prints each of its characters.
func roff(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
