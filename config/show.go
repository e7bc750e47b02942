package config

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Show prints every setting in force and where its value came from, secrets masked.
func (c *Config) Show(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tVALUE\tFROM")
	for _, s := range settings {
		text := s.value(c).String()
		if s.Secret && text != "" {
			text = "********"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, text, c.source[s.Key])
	}
	return w.Flush()
}
