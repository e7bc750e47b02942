package fit

import (
	"errors"
	"flag"
	"math"
	"os"

	"github.com/ctx-mcp/ctx-mcp/weights"
)

// Flags are the flags that the programs of fits share.
type Flags struct {
	Data  string // folder of the evaluation data
	Write string // file for the fitted weights; empty: they are not written
}

// DeclareFlags declares the flags -data and -write of a program. table names the usual file of its weights.
func DeclareFlags(table string) *Flags {
	var f Flags
	flag.StringVar(&f.Data, "data", "../shared/data", "folder of the evaluation data")
	flag.StringVar(&f.Write, "write", "", "file for the fitted weights, such as "+table)
	return &f
}

// Rows returns fitted weights as rows of a table, with two decimals. target is the target of make that fits them.
func Rows(target string, names []string, fitted []float64) []weights.Row {
	rows := make([]weights.Row, len(names))
	for k, name := range names {
		rows[k] = weights.Row{Name: name, Weight: math.Round(fitted[k]*100) / 100, Source: "fitted by make " + target}
	}
	return rows
}

// WriteTable writes rows to a file as a table of weights, with a comment above it.
func WriteTable(path, comment string, rows []weights.Row) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(weights.Write(f, comment, rows), f.Close())
}
