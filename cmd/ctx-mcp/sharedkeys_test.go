package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
)

// agreed is the facts of a database.
type agreed map[string]string

func (a agreed) Fact(_ context.Context, name string) (string, error) { return a[name], nil }

func (a agreed) Agree(_ context.Context, name, value string) (string, error) {
	if a[name] == "" {
		a[name] = value
	}
	return a[name], nil
}

func (a agreed) Set(_ context.Context, name, value string) error {
	a[name] = value
	return nil
}

// The first server of a database makes the key. One without it is refused, and leaves none behind; so is one with another key, until it has the right
// one.
func TestServersNeedTheSameKey(t *testing.T) {
	shared := agreed{}
	at := func(dir string) ([]byte, error) {
		c := config.New()
		c.DataDir, c.KeysDir = t.TempDir(), dir
		return installationKey(t.Context(), c, rand.Reader, shared)
	}
	first, second := filepath.Join(t.TempDir(), "keys"), t.TempDir()
	key, err := at(first)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := at(first); err != nil || !bytes.Equal(again, key) {
		t.Errorf("at its next start the key is %x, %v, want %x", again, err, key)
	}
	if bytes.Contains([]byte(shared[factOfKey]), key) || shared[factOfKey] == "" {
		t.Errorf("the database holds %q", shared[factOfKey])
	}
	if _, err := at(second); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("without the key: %v, want unavailable", err)
	}
	path := filepath.Join(second, redactionKeyFile)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a server that was refused left a key: %v", err)
	}
	for _, one := range []struct {
		key  []byte
		want ctxmcp.Code
	}{{bytes.Repeat([]byte{1}, 32), ctxmcp.CodeUnavailable}, {key, ""}} {
		if err := os.WriteFile(path, one.key, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := at(second); ctxmcp.CodeOf(err) != one.want && !(err == nil && one.want == "") {
			t.Errorf("with the key %x…: %v, want %q", one.key[:2], err, one.want)
		}
	}
}
