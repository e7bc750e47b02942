// Command with starts a PostgreSQL, runs a command with the address of an empty database of it in $STORE, and ends both.
//
//	go run ./postgres/postgrestest/with testdata/inspector/run
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "name the command to run")
		os.Exit(2)
	}
	if err := with(os.Args[1], os.Args[2:]...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func with(program string, args ...string) (err error) {
	s, err := postgrestest.Start("fsync=off", "max_connections=300")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if text, err := s.SQL("CREATE SCHEMA with_command"); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), "STORE="+s.Address("with_command"))
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}
