// Package quick answers a hook before the program has begun. A hook is a process of its own for each event, and what the rest of the program
// sets up at its start, tables and schemas, takes longer than the answer. So this package, which imports next to nothing and is therefore
// initialised before the others, passes the event on to the server that runs, prints the answer and ends the process. Where there is no
// server, or the command line asks for anything else, it does nothing but keep what it read, and the command takes its ordinary way.
package quick

import (
	"io"
	"os"
	"strconv"

	"github.com/ctx-mcp/ctx-mcp/hook/wire"
)

// Input is the text of standard input, if Taken.
var (
	Input []byte
	Taken bool
)

func init() {
	asked, ok := wire.Parse(os.Args[1:], os.Getenv)
	if !ok {
		return
	}
	input, err := io.ReadAll(io.LimitReader(os.Stdin, wire.MaxField))
	if err != nil {
		return
	}
	Input, Taken = input, true
	if answer, ok := wire.Relay(asked.DataDir, []byte(wire.Version), []byte(asked.Client), input); ok {
		os.Exit(Print(answer, os.Stdout, os.Stderr))
	}
}

// Print writes an answer, and returns the exit code. An answer without a number ends with 2, which clients take for a denial.
func Print(answer [][]byte, out, errs io.Writer) int {
	code, err := strconv.Atoi(string(answer[0]))
	_, failed := out.Write(answer[1])
	_, _ = errs.Write(answer[2]) // there is nobody else to tell
	if err != nil || failed != nil {
		return 2
	}
	return code
}
