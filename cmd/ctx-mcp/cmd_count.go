package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// counted is the tokens of a text, as `ctx-mcp count --json` prints them.
type counted struct {
	File         string `json:"file"`
	Tokens       int    `json:"tokens"`
	AtMost       int    `json:"at_most"`
	Counter      string `json:"counter"`
	ContextLimit int    `json:"context_limit"`
}

func countCommand(sys *system, c *config.Config) *cobra.Command {
	var model string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "count [FILE]...",
		Short: "Count the tokens of files, or of standard input, for a model",
		Long: `Count the tokens of files, or of standard input, for a model, as reductions and compiled contexts count them: exactly for
models of OpenAI, by an estimate with an upper bound for others. Nothing is sent anywhere. Frames of messages are not in it.`,
		RunE: func(_ *cobra.Command, files []string) error {
			m := c.Models().For(model)
			if !m.Known {
				m.ContextLimit = c.Reduce.Limit
				fmt.Fprintf(sys.err, "ctx-mcp: nothing is known of the model %q: counted with care, by the %s; tokens.limits can name its limit\n", model, m.Counter.Name())
			}
			all, err := countFiles(sys, m, files)
			if err != nil {
				return err
			}
			if asJSON {
				return printCountsJSON(sys.out, all)
			}
			return printCounts(sys.out, m, all)
		},
	}
	cmd.Flags().StringVar(&model, "model", "gpt-4o", "`name` of the model, as its provider or a gateway writes it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each file")
	return mayTakeLong(cmd, nothingChanged)
}

func countFiles(sys *system, m tokens.Model, files []string) ([]counted, error) {
	if len(files) == 0 {
		text, err := io.ReadAll(sys.in)
		return []counted{count(m, "-", string(text))}, err
	}
	var all []counted
	for _, file := range files {
		text, err := readInput(sys, file)
		if err != nil {
			return nil, err
		}
		all = append(all, count(m, file, string(text)))
	}
	return all, nil
}

func count(m tokens.Model, file, text string) counted {
	size := m.Size(text)
	return counted{File: file, Tokens: size.Value, AtMost: size.Bound, Counter: m.Counter.Name(), ContextLimit: m.ContextLimit}
}

func printCountsJSON(w io.Writer, all []counted) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, row := range all {
		if err := e.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

func printCounts(out io.Writer, m tokens.Model, all []counted) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(w, "TOKENS\tAT MOST\tFILE\n")
	for _, row := range all {
		fmt.Fprintf(w, "%d\t%d\t%s\n", row.Tokens, row.AtMost, row.File)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "by %s; a prompt can have %d\n", m.Counter.Name(), m.ContextLimit)
	return err
}
