package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

// keyCommandTimeout bounds encryption.key_command.
const keyCommandTimeout = 30 * time.Second

// keySource is where an encryption key comes from: one of the three is set, or none.
type keySource struct{ text, file, command string }

func (k keySource) isSet() bool { return k != keySource{} }

// read returns the key. It returns CodeUnavailable if it cannot be had, without quoting anything of it.
func (k keySource) read(ctx context.Context) (vault.Key, error) {
	text := k.text
	switch {
	case k.file != "":
		raw, err := os.ReadFile(k.file)
		if err != nil {
			return vault.Key{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the encryption key cannot be read from its file").WithCause(err).
				WithHint("check encryption.key_file")
		}
		text = string(raw)
	case k.command != "":
		ctx, cancel := context.WithTimeout(ctx, keyCommandTimeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", k.command)
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Run(); err != nil {
			return vault.Key{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "encryption.key_command failed").WithCause(err).
				WithHint("it is run by sh and prints the key")
		}
		text = out.String()
	}
	return vault.ParseKey(text)
}

func (c *Config) encryptionKey() keySource {
	return keySource{c.EncryptionKey, c.EncryptionKeyFile, c.EncryptionKeyCommand}
}

func (c *Config) checkEncryption() error {
	set := 0
	for _, text := range []string{c.EncryptionKey, c.EncryptionKeyFile, c.EncryptionKeyCommand} {
		if text != "" {
			set++
		}
	}
	if set > 1 {
		return usage("set one of encryption.key, encryption.key_file and encryption.key_command")
	}
	return nil
}

// openVault returns what seals the fields of the store, or nil where nothing is sealed. The first start with a key makes the
// data keys; from then on a missing or wrong key is CodeUnavailable.
func (c *Config) openVault(ctx context.Context, store *sqlite.Store) (*vault.Vault, error) {
	wrapped, err := store.DataKeys(ctx)
	if err != nil {
		return nil, err
	}
	source := c.encryptionKey()
	switch {
	case !source.isSet() && wrapped == nil:
		return nil, nil
	case !source.isSet():
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the data in %s is sealed, and no encryption key is configured", c.DataDir).
			WithHint("set encryption.key_file, encryption.key_command or encryption.key")
	}
	key, err := source.read(ctx)
	if err != nil {
		return nil, err
	}
	if wrapped == nil {
		return firstVault(ctx, store, key)
	}
	return vault.Open(wrapped, key)
}

// firstVault makes the data keys of a store, unless another process was faster.
func firstVault(ctx context.Context, store *sqlite.Store, key vault.Key) (*vault.Vault, error) {
	v, err := vault.New()
	if err != nil {
		return nil, err
	}
	wrapped, err := v.Wrap(key)
	if err != nil {
		return nil, err
	}
	err = store.ReplaceDataKeys(ctx, nil, wrapped)
	if ctxmcp.CodeOf(err) != ctxmcp.CodeConflict || err == nil {
		return v, err
	}
	if wrapped, err = store.DataKeys(ctx); err != nil {
		return nil, err
	}
	return vault.Open(wrapped, key)
}

// wireVault has fields sealed from now on, if a key is configured.
func (a *app) wireVault(ctx context.Context) error {
	v, err := a.config.openVault(ctx, a.store)
	if err != nil || v == nil {
		return err
	}
	a.vault = v
	a.store.UseVault(v)
	return nil
}

// rekey seals the data keys under another key of the installation, and adds a data key if renew is set.
func (a *app) rekey(ctx context.Context, next keySource, renew bool) error {
	if a.vault == nil {
		return usage("nothing is sealed here: set encryption.key_file, encryption.key_command or encryption.key first")
	}
	old, err := a.store.DataKeys(ctx)
	if err != nil {
		return err
	}
	source := a.config.encryptionKey()
	if next.isSet() {
		source = next
	}
	key, err := source.read(ctx)
	if err != nil {
		return err
	}
	v := a.vault
	if renew {
		if v, err = v.Renew(); err != nil {
			return err
		}
	}
	wrapped, err := v.Wrap(key)
	if err != nil {
		return err
	}
	if _, err := vault.Open(wrapped, key); err != nil { // before the old ones go
		return fmt.Errorf("check the new data keys: %w", err)
	}
	return a.store.ReplaceDataKeys(ctx, old, wrapped)
}
