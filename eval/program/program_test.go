package program_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

// TestMain runs the test as a program where a test asks for one by the variable PROGRAM.
func TestMain(m *testing.M) {
	switch os.Getenv("PROGRAM") {
	case "fails":
		program.Main("eval test", func(context.Context) error { return errors.New("nothing to measure") })
	case "reads a flag":
		data := flag.String("data", "", "")
		program.Main("eval test", func(context.Context) error { return errors.New(*data) })
	case "is interrupted":
		program.Main("eval test", func(ctx context.Context) error {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Signal(os.Interrupt)
			}
			if err != nil {
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		})
	default:
		os.Exit(m.Run())
	}
}

// TestFailuresAreNamed: an error ends a program with 1 and a line with its name, and an interrupt is the error of the context.
func TestFailuresAreNamed(t *testing.T) {
	for as, want := range map[string]string{
		"fails":          "eval test: nothing to measure\n",
		"reads a flag":   "eval test: folder\n",
		"is interrupted": "eval test: context canceled\n",
	} {
		t.Run(as, func(t *testing.T) {
			c := exec.Command(os.Args[0])
			if as == "reads a flag" {
				c.Args = append(c.Args, "-data", "folder")
			}
			c.Env = append(os.Environ(), "PROGRAM="+as)
			out, err := c.CombinedOutput()
			if string(out) != want || c.ProcessState.ExitCode() != 1 {
				t.Errorf("the program says %q, exit code %d, %v; want %q and 1", out, c.ProcessState.ExitCode(), err, want)
			}
		})
	}
}
