package compiler

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// TestStageThatPanics: each stage panics or fails once. It is told that the stage has ended, and the next compile gives what a compile
// gives where nothing panicked.
func TestStageThatPanics(t *testing.T) {
	in := world(t, txtar.Parse([]byte("-- request --\n{\"user_message\": \"When is the release?\"}\n")))
	want := compiled(in)
	for i := range stages {
		sound := stages[i].run
		for _, fault := range []func() error{func() error { panic("contained") }, func() error { return fmt.Errorf("failed") }} {
			struck := false
			stages[i].run = func(s *state) error {
				if !struck {
					struck = true
					return fault()
				}
				return sound(s)
			}
			began, ended := 0, 0
			c := Compiler{Counter: tokens.Approximate{}, Begin: func(string) func(Step) { began++; return func(Step) { ended++ } }}
			func() {
				defer func() { _ = recover() }()
				_, _ = c.Compile(in)
			}()
			if began != i+1 || ended != began {
				t.Errorf("where %s failed, %d stages began and %d ended", stages[i].name, began, ended)
			}
			if diff := cmp.Diff(want, compiled(in)); diff != "" || !struck {
				t.Errorf("after %s failed (-want +got):\n%s", stages[i].name, diff)
			}
		}
		stages[i].run = sound
	}
}
