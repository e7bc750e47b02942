package config

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Print writes settings and where their values came from.
func Print(out io.Writer, all []InForce) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tVALUE\tFROM")
	for _, s := range all {
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

// InForce returns the settings that are named, by key or section, or else all of them, in the order of the documentation. It returns CodeInvalid for
// a name that is none.
func (c *Config) InForce(named ...string) (all []InForce, err error) {
	for _, name := range named {
		if !slices.ContainsFunc(settings, func(s Setting) bool { return s.isNamed(name) }) {
			return nil, unknownSetting(name)
		}
	}
	for _, s := range settings {
		if len(named) > 0 && !slices.ContainsFunc(named, s.isNamed) {
			continue
		}
		text := s.value(c).String()
		if s.Secret && text != "" {
			text = "********"
		}
		all = append(all, InForce{s.Key, text, c.source[s.Key]})
	}
	return all, nil
}

func (s Setting) isNamed(name string) bool {
	return s.Key == name || strings.HasPrefix(s.Key, name+".")
}

func unknownSetting(name string) error {
	var keys []string
	for _, s := range settings {
		keys = append(keys, s.Key)
	}
	if near := Nearest(name, keys); near != "" {
		return invalid("there is no setting %q: did you mean %q?", name, near)
	}
	return invalid("there is no setting or section %q; ctx-mcp config show lists them", name)
}
