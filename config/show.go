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
	for _, s := range c.InForce() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, s.Value, s.From)
	}
	return w.Flush()
}

// InForce is a setting with its value, masked where it is a secret, and the origin of the value.
type InForce struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
}

// InForce returns every setting, in the order of the documentation.
func (c *Config) InForce() (all []InForce) {
	for _, s := range settings {
		text := s.value(c).String()
		if s.Secret && text != "" {
			text = "********"
		}
		all = append(all, InForce{s.Key, text, c.source[s.Key]})
	}
	return all
}
