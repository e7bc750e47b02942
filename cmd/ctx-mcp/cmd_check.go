package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// checkForm names the shape of a check's report in JSON.
const checkForm = "ctx-mcp/check/1"

// checking is one run of the check command: its flags and findings.
type checking struct {
	asJSON, people bool
	redactor       *redact.Redactor
	report         checkReport
	found          int
}

// checkReport lists the findings of a check. It holds no value.
type checkReport struct {
	Form  string         `json:"form"`
	Files []checkedFile  `json:"files"`
	Found []checkedFound `json:"found"` // in the order of the files and their texts
}

type checkedFile struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
	Found int    `json:"found"`
}

type checkedFound struct {
	File string `json:"file"`
	redact.Hit
}

func checkCommand(sys *system, c *config.Config) *cobra.Command {
	k := checking{report: checkReport{Form: checkForm, Files: []checkedFile{}, Found: []checkedFound{}}}
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Fail if a file holds a secret: for CI",
		Long: `Fail if a file holds a secret: a prompt, a snapshot, a log, anything. - is the standard input.

Each secret is named by its label, its line, the bytes before it and its fingerprint, and never shown. The rules are those
of redaction, with those of the configuration; placeholders are no secrets. Labels in
memory.redaction_allow, such as e-mail addresses, count with --people only. Files of any size are read as a stream. Fingerprints
are those of the installation's placeholders, and are left out where the data directory has none.

The exit code is 0 if there is none, 1 if there is one, and 2 if the command line is wrong or a file cannot be read.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("name a file, or - for the standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return k.run(cmd.Context(), sys, c, args) },
	}
	cmd.Flags().BoolVar(&k.asJSON, "json", false, "print what was found as JSON")
	cmd.Flags().BoolVar(&k.people, "people", false, "count what memories may hold too (memory.redaction_allow)")
	return mayTakeLong(cmd, nothingChanged)
}

func (k checking) run(ctx context.Context, sys *system, c *config.Config, files []string) error {
	key, err := fingerprintKey(c.Keys())
	if err != nil {
		return err
	}
	r, err := newRedactor(key, c)
	if err != nil {
		return err
	}
	if k.redactor = r.For(c.Tenant); !k.people {
		k.redactor = k.redactor.Without(c.MemoryAllow...)
	}
	for _, name := range files {
		if err := k.file(ctx, sys, name); err != nil {
			return err
		}
	}
	if err := k.end(sys.out); err != nil {
		return err
	}
	if k.found > 0 {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s", plural(k.found, "secret")).WithHint("take it out, and change it where it is valid")
	}
	return nil
}

// file looks through one file, and prints its findings as it goes.
func (k *checking) file(ctx context.Context, sys *system, name string) error {
	src, err := openInput(sys, name)
	if err != nil {
		return err
	}
	defer src.Close()
	done := checkedFile{File: name}
	var printing error
	counting := &countingReader{r: src}
	err = k.redactor.Scan(ctx, counting, func(h redact.Hit) {
		done.Found++
		if k.asJSON {
			k.report.Found = append(k.report.Found, checkedFound{name, h})
		} else if printing == nil {
			printing = printHit(sys.out, name, h)
		}
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return usage("%s: %v", name, err)
	}
	done.Bytes = counting.n
	k.found += done.Found
	k.report.Files = append(k.report.Files, done)
	return errors.Join(err, printing)
}

func printHit(w io.Writer, name string, h redact.Hit) error {
	mark := ""
	if h.Fingerprint != "" {
		mark = "  #" + h.Fingerprint
	}
	_, err := fmt.Fprintf(w, "%s:%d: %s at byte %d%s\n", oneLine(name), h.Line, h.Label, h.Offset, mark)
	return err
}

// end prints the sum of it.
func (k *checking) end(w io.Writer) error {
	if k.asJSON {
		return writeJSON(w, k.report)
	}
	clean, bytes := 0, int64(0)
	for _, f := range k.report.Files {
		bytes += f.Bytes
		if f.Found == 0 {
			clean++
		}
	}
	_, err := fmt.Fprintf(w, "%s, %d bytes: %d clean, %s\n", plural(len(k.report.Files), "file"), bytes, clean, plural(k.found, "secret"))
	return err
}

// writeJSON prints a value for machines.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// plural returns so many of something, in words.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// countingReader counts the bytes that are read.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
