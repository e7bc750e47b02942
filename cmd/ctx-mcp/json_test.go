package main

import (
	"maps"
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

// plainly lists the commands that take no --json, each with its reason.
var plainly = map[string]string{
	"artifact raw":    "it prints the bytes of the artifact",
	"bundle":          "it writes a bundle, which is JSON",
	"demo":            "it plays a story",
	"export":          "it writes lines of JSON",
	"gateway approve": "it shows differences to a person who decides",
	"gateway http":    "it serves",
	"gateway secret":  "it keeps a secret that it asks for",
	"gateway signin":  "it asks a person, in a browser",
	"gateway signout": "it says that it is done",
	"gateway stdio":   "it serves",
	"gateway warden":  "it prints nothing",
	"hook":            "it answers in the form of the client",
	"hook serve":      "it serves",
	"hook stop":       "it prints nothing",
	"http":            "it serves",
	"keys export":     "it prints keys in PEM",
	"man":             "it writes pages of the manual",
	"memory export":   "it writes lines of JSON",
	"policy show":     "it prints rules in Cedar",
	"receipts export": "it writes a bundle, which is lines of JSON",
	"receipts head":   "it prints a signed note",
	"rekey":           "it says that it is done",
	"stdio":           "it serves",
	"ui":              "it serves",
}

// TestJSONEverywhere: every command takes --json but those that print no report.
func TestJSONEverywhere(t *testing.T) {
	unused := maps.Clone(plainly)
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, sub := range cmd.Commands() {
			name := sub.Name()
			if path != "" {
				name = path + " " + name
			}
			delete(unused, name)
			runs := !sub.HasSubCommands() || name == "review" || name == "hook"
			if runs && plainly[name] == "" && sub.Flags().Lookup("json") == nil && sub.PersistentFlags().Lookup("json") == nil {
				t.Errorf("ctx-mcp %s takes no --json", name)
			}
			walk(sub, name)
		}
	}
	walk(newRoot(&system{}), "")
	if len(unused) > 0 {
		t.Errorf("no such commands: %v", slices.Sorted(maps.Keys(unused)))
	}
}
