// Command with starts a PostgreSQL, runs a command with the address of an empty database of it in $STORE, and ends both. With $POOLED it starts a PgBouncer
// in transaction mode, too, and the address is of that; with $BUCKET an S3 server in memory, whose address is in $BLOBS.
//
//	go run ./postgres/postgrestest/with testdata/inspector/run
package main

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket/buckettest"
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
	store := s.Address("with_command")
	if os.Getenv("POOLED") != "" {
		p, err := s.Pooler()
		if err != nil {
			return err
		}
		defer p.Stop()
		if store, err = p.Empty(); err != nil {
			return err
		}
	}
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), "STORE="+store)
	if os.Getenv("BUCKET") != "" {
		kept := s3mem.New()
		if err := kept.CreateBucket("kept"); err != nil {
			return err
		}
		bucket := httptest.NewServer(gofakes3.New(kept, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
		defer bucket.Close()
		at := buckettest.Server{Endpoint: bucket.URL, Bucket: "kept"}
		c.Env = append(c.Env, "BLOBS="+at.Address("with"), "AWS_ACCESS_KEY_ID="+buckettest.AccessKey, "AWS_SECRET_ACCESS_KEY="+buckettest.SecretKey)
	}
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}
