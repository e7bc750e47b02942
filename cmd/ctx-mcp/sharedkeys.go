package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// factOfKey is the name under which a database has the digest of the installation's key.
const factOfKey = "redaction.key"

// installationKey returns the installation's key, and makes it on first use. Where several machines serve a database, it has to be the key that the
// first of them had: with another one, a server would tell a secret that it has seen as a new one, and refuse what another server has sealed. It
// returns CodeUnavailable then, and makes no key where one is known to be elsewhere.
func installationKey(ctx context.Context, c *config.Config, random io.Reader, shared sqlite.Facts) ([]byte, error) {
	if shared == nil {
		return redactionKey(c.Keys(), random)
	}
	known, err := shared.Fact(ctx, factOfKey)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(c.Keys(), redactionKeyFile)
	if _, err := os.Stat(path); known != "" && errors.Is(err, fs.ErrNotExist) {
		return nil, otherKeys("the database has been served with a key that is not in " + c.Keys())
	}
	key, err := redactionKey(c.Keys(), random)
	if err != nil {
		return nil, err
	}
	digest := digestOf(key)
	if known, err = shared.Agree(ctx, factOfKey, digest); err != nil {
		return nil, err
	}
	if known != digest {
		return nil, otherKeys(path + " is not the key that the database has been served with")
	}
	return key, nil
}

// digestOf returns the digest by which servers tell the installation's key.
func digestOf(key []byte) string { return ctxmcp.Digest("ctx-mcp installation\x00" + string(key)) }

// digestOfKey returns the digest of the key in the folder of the keys, or "" if there is none.
func digestOfKey(c *config.Config) (string, error) {
	key, err := os.ReadFile(filepath.Join(c.Keys(), redactionKeyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return digestOf(key), err
}

func otherKeys(why string) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s", why).
		WithHint("copy redaction.key and receipts/keys from another server of the database into the folder of keys_dir, by default the data directory")
}

// holdSigningKey makes the first signing key of a shared database, for the operator to give to the other servers. A server without the key that the
// log goes on with says so as it starts: it serves, and each of its decisions on actions fails.
func (a *app) holdSigningKey(ctx context.Context) error {
	if a.store.Facts() == nil || a.config.ReadOnly {
		return nil
	}
	end, err := a.store.LogEnd(ctx)
	if err != nil {
		return err
	}
	if end.Size == 0 {
		_, err = a.ring.First(ctx)
	} else {
		_, err = a.ring.Private(ctx, end.KeyID)
	}
	if err != nil {
		a.logger.Error("no action can be decided here", "error", err)
	}
	return nil
}
