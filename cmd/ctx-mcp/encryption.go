package main

import (
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

// openVault returns the vault that seals the fields of the store, or nil where nothing is sealed. The first start with a key
// makes the data keys; from then on a missing or wrong key is CodeUnavailable.
func openVault(c *config.Config, ctx context.Context, store *sqlite.Store) (*vault.Vault, error) {
	wrapped, err := store.DataKeys(ctx)
	if err != nil {
		return nil, err
	}
	source := c.EncryptionKeySource()
	switch {
	case !source.IsSet() && wrapped == nil:
		return nil, nil
	case !source.IsSet():
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the data in %s is sealed, and no encryption key is configured", c.DataDir).
			WithHint("set encryption.key_file, encryption.key_command or encryption.key")
	}
	key, err := source.Read(ctx)
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
	v, err := openVault(a.config, ctx, a.store)
	if err != nil || v == nil {
		return err
	}
	a.vault = v
	a.store.UseVault(v)
	return nil
}

// rekey seals the data keys under another key of the installation, and adds a data key if renew is set.
func (a *app) rekey(ctx context.Context, next config.KeySource, renew bool) error {
	if a.vault == nil {
		return usage("nothing is sealed here: set encryption.key_file, encryption.key_command or encryption.key first")
	}
	old, err := a.store.DataKeys(ctx)
	if err != nil {
		return err
	}
	source := a.config.EncryptionKeySource()
	if next.IsSet() {
		source = next
	}
	key, err := source.Read(ctx)
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
