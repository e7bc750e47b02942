package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/postgres"
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
	key, err := c.ReadKey(ctx, source)
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

// useKeys gives a store the keys of its sealed memories. It returns CodeUnavailable for a store that needs keys where none are configured.
func useKeys(ctx context.Context, c *config.Config, store *sqlite.Store) error {
	if c.ErasureKeys == "" {
		needed, err := store.Keyed(ctx)
		if err != nil || !needed {
			return err
		}
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "memories in %s may be sealed, and erasure.keys is not configured", store.Name()).
			WithHint("set erasure.keys to the place where their keys are")
	}
	keys, err := openKeys(ctx, c)
	if err != nil {
		return err
	}
	if err := store.UseKeys(ctx, keys, c.ErasureSeal); err != nil {
		return errors.Join(err, keys.Close())
	}
	return nil
}

// openKeys opens the keys of memories at the place that the settings name.
func openKeys(ctx context.Context, c *config.Config) (*sqlite.KeyStore, error) {
	if postgres.IsAddress(c.ErasureKeys) {
		return postgres.OpenKeys(ctx, c.ErasureKeys)
	}
	return sqlite.OpenKeys(ctx, c.ErasureKeys)
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
	key, err := a.config.ReadKey(ctx, source)
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
