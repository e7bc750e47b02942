package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/hook/quick"
	_ "github.com/ctx-mcp/ctx-mcp/serve/heap" // garbage collections wait until the heap is worth one
)

// Exit codes. Scripts depend on them: append only.
const (
	exitOK      = 0
	exitFailure = 1 // the command failed
	exitUsage   = 2 // the command line, the environment or the configuration is wrong
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, realSystem(), os.Args[1:]))
}

// system is the surroundings of the process: its streams, clock and the like. Tests put their own in its place.
type system struct {
	in       io.Reader
	inRead   bool // a file was read from it
	out, err io.Writer
	getenv   func(string) string
	environ  func() []string
	now      func() time.Time
	newID    func() string
	random   io.Reader
	// attended reports whether a person sits at the input and the output.
	attended func() bool
	// watched reports whether a person sees the standard error. nil: nobody does.
	watched func() bool
	pulse   *pulse
	profile profile
}

func realSystem() *system {
	return &system{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv, environ: os.Environ,
		now: time.Now, newID: func() string { return uuid.Must(uuid.NewV7()).String() }, random: rand.Reader,
		attended: func() bool { return isTerminal(os.Stdin) && isTerminal(os.Stdout) },
		watched:  func() bool { return isTerminal(os.Stderr) },
	}
}

func (sys *system) isWatched() bool { return sys.watched != nil && sys.watched() }

// run carries out one command line and returns the exit code.
func run(ctx context.Context, sys *system, args []string) int {
	c := config.New()
	root := rootOf(sys, c)
	root.SetArgs(args)
	root.SetIn(sys.in)
	root.SetOut(sys.out)
	root.SetErr(sys.err)
	cmd, err := root.ExecuteContextC(ctx)
	sys.pulse.stop()
	if unwritten := sys.profile.end(); err == nil {
		err = unwritten
	}
	if err == nil {
		return exitOK
	}
	if code, said := errors.AsType[endsWith](err); said {
		return int(code)
	}
	if answer := unsettledHook(sys, c, args, err); answer != nil {
		return quick.Print(answer, sys.out, sys.err)
	}
	if ctx.Err() != nil && cmd.Annotations[stopped] != "" { // the database says it in words of its own
		err = ctx.Err()
	}
	explain(sys.err, err, cmd.Annotations[stopped])
	if _, mistaken := errors.AsType[usageError](err); mistaken || ctxmcp.CodeOf(err) == ctxmcp.CodeInvalid {
		return exitUsage
	}
	return exitFailure
}

// usageError is a mistake in the command line, the environment or the configuration.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

func usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// explain prints a failure for a person: the fault, its cause, and the remedy. After is the state behind an interrupt.
func explain(w io.Writer, err error, after string) {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(w, strings.TrimSuffix("ctx-mcp: interrupted: "+after, ": "))
		return
	}
	if words := aboutFile(err); words != "" {
		fmt.Fprintln(w, "ctx-mcp: "+words)
		return
	}
	fmt.Fprintf(w, "ctx-mcp: %v\n", err)
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok && e.Hint != "" {
		fmt.Fprintf(w, "  %s\n", e.Hint)
	}
}
