package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/tokens"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

func toolsCommand(sys *system, c *config.Config) *cobra.Command {
	var asJSON, count, results bool
	var most int
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List the tools that the configuration offers",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			o := tools.Options{Toolsets: c.Toolsets, ReadOnly: c.ReadOnly}
			chosen := tools.Select(o)
			switch {
			case asJSON:
				return printJSON(sys, map[string]any{"tools": definitions(chosen)})
			case results:
				return printJSON(sys, schemas(chosen))
			case count:
				return printTokens(sys, o, most)
			default:
				return printTools(sys, chosen)
			}
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the definitions as a client gets them")
	cmd.Flags().BoolVar(&count, "tokens", false, "print what the definitions cost in a model's context")
	cmd.Flags().IntVar(&most, "max-tokens", 0, "with --tokens: fail if they cost more")
	cmd.Flags().BoolVar(&results, "results", false, "print the whole schema of the results of each, for programs; a client gets a shorter one")
	cmd.MarkFlagsMutuallyExclusive("json", "tokens", "results")
	return cmd
}

func definitions(chosen []tools.Tool) []mcp.Tool {
	list := make([]mcp.Tool, len(chosen))
	for i, t := range chosen {
		list[i] = t.MCP
	}
	return list
}

// schemas returns the schema of the results of each tool, by its name.
func schemas(chosen []tools.Tool) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, t := range chosen {
		all[t.Name] = t.Results()
	}
	return all
}

func printJSON(sys *system, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.out, "%s\n", text)
	return err
}

func printTools(sys *system, chosen []tools.Tool) error {
	w := tabwriter.NewWriter(sys.out, 0, 4, 2, ' ', 0)
	for _, t := range chosen {
		effect := "writes"
		if t.ReadOnly() {
			effect = "reads"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.Name, t.Toolset, effect, t.MCP.Title)
	}
	return w.Flush()
}

// printTokens counts each definition as compact JSON, and the instructions, by the o200k_base encoding.
func printTokens(sys *system, o tools.Options, most int) error {
	counter := tokens.O200k()
	w := tabwriter.NewWriter(sys.out, 0, 4, 2, ' ', tabwriter.AlignRight)
	total := 0
	line := func(name, text string) {
		n := counter.Count(text)
		total += n
		fmt.Fprintf(w, "%s\t%d\t\n", name, n)
	}
	for _, t := range tools.Select(o) {
		text, err := json.Marshal(t.MCP)
		if err != nil {
			return err
		}
		line(t.Name, string(text))
	}
	line("instructions", tools.Instructions(o))
	fmt.Fprintf(w, "total (%s)\t%d\t\n", counter.Name(), total)
	if err := w.Flush(); err != nil {
		return err
	}
	if most > 0 && total > most {
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the tool list costs %d tokens, over the budget of %d", total, most)
	}
	return nil
}
