package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// everyCommand calls do for each command that does more than to print its help.
func everyCommand(t *testing.T, do func(t *testing.T, cmd *cobra.Command, words []string)) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		words := strings.Fields(cmd.CommandPath())[1:]
		groups := cmd.HasSubCommands() && cmd.Flags().Lookup("json") == nil && cmd.Annotations[printed] == ""
		if cmd.Runnable() && !groups {
			t.Run(strings.Join(words, "_"), func(t *testing.T) { do(t, cmd, words) })
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&system{}))
}

// TestJSONEverywhere: a command takes --json, or says the form of its output.
func TestJSONEverywhere(t *testing.T) {
	everyCommand(t, func(t *testing.T, cmd *cobra.Command, _ []string) {
		if takes := cmd.Flags().Lookup("json") != nil; !takes && cmd.Annotations[printed] == "" {
			t.Errorf("%s takes no --json, and says no form of its output", cmd.CommandPath())
		}
	})
}

// TestJSONAlone runs each command that takes --json in a new data directory, with and without an argument: it prints values of JSON, or nothing and a failure.
func TestJSONAlone(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	t.Chdir(t.TempDir())
	everyCommand(t, func(t *testing.T, cmd *cobra.Command, words []string) {
		if cmd.Flags().Lookup("json") == nil || cmd.Annotations[printed] != "" {
			return
		}
		if _, follows := cmd.Annotations[endless]; follows {
			return
		}
		for _, more := range [][]string{nil, {"x"}, {"x", "y"}} {
			var out, said bytes.Buffer
			sys := &system{in: strings.NewReader(""), out: &out, err: &said, getenv: func(string) string { return "" }, environ: func() []string { return nil },
				now: time.Now, newID: realSystem().newID, random: realSystem().random, attended: func() bool { return false }}
			code := run(t.Context(), sys, append(append(append([]string{}, words...), more...), "--json", "--data-dir", t.TempDir()))
			d := json.NewDecoder(&out)
			values := 0
			for ; ; values++ {
				var v any
				if err := d.Decode(&v); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("ctx-mcp %s %q prints what is no JSON: %v", strings.Join(words, " "), more, err)
				}
			}
			if code == exitOK && values == 0 {
				t.Errorf("ctx-mcp %s %q succeeds and prints nothing; it says %s", strings.Join(words, " "), more, &said)
			}
			if code != exitOK && said.Len() == 0 {
				t.Errorf("ctx-mcp %s %q fails without a word", strings.Join(words, " "), more)
			}
		}
	})
}
