package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// binary writes a script that stands for the server.
func binary(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestStart: a server is there once its log names the address, and a bad end is told with the log.
func TestStart(t *testing.T) {
	log := make(chan string, 8)
	p, err := Start(Options{
		Binary: binary(t, `echo "$@" >&2; echo 'msg="serving http" tls=false url=http://127.0.0.1:7/mcp' >&2; exec tail -f /dev/null`),
		Data:   "data", Args: []string{"--project", "p"}, Log: func(line string) { log <- line },
	})
	if err != nil {
		t.Fatal(err)
	}
	if p.URL != "http://127.0.0.1:7/mcp" || p.Ended() {
		t.Errorf("URL = %q, Ended = %v, want that of the log, of a running server", p.URL, p.Ended())
	}
	if got, want := <-log, "http --addr 127.0.0.1:0 --data-dir data --project p\n"; got != want {
		t.Errorf("first line of the log = %q, want %q", got, want)
	}
	if err := p.Stop(); err == nil || !strings.Contains(err.Error(), "serving http") || !p.Ended() {
		t.Errorf("Stop = %v, want that a signal ended it, with its log", err)
	}
	if err := p.Stop(); err == nil || !strings.Contains(err.Error(), "by itself") {
		t.Errorf("second Stop = %v, want that it had ended before", err)
	}
}

// TestStartFails: a server that ends before it listens is an error with its last words.
func TestStartFails(t *testing.T) {
	_, err := Start(Options{Binary: binary(t, `echo no disk >&2; exit 3`)})
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "no disk") {
		t.Errorf("Start = %v, want the exit status and the log", err)
	}
}
