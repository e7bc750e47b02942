package main

import (
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp/receipts"
)

func checkEncryption(ctx context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	v, err := openVault(p.config, ctx, p.store)
	switch {
	case err != nil:
		return "", err
	case v == nil:
		return "not configured", nil
	}
	if p.vaults {
		p.store.UseVault(v)
	}
	return fmt.Sprintf("the key fits, data keys: %d", v.DataKeys()), nil
}

// checkKeys tells how many memories have no key: those that were erased since the backup from which the database was restored, or whose keys were lost.
func checkKeys(ctx context.Context, p *patient) (string, error) {
	switch {
	case p.store == nil:
		return "", errSkipped
	case p.config.ErasureKeys == "":
		return "not configured", nil
	}
	gone, sealed, err := p.store.Unopened(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d sealed, %d of them without a key, as after their erasure", sealed, gone), nil
}

// checkReceipts looks whether the log can be continued: its key is there, and it is no older than the head that was kept of it. ctx-mcp verify checks that the log is whole.
func checkReceipts(ctx context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	end, err := p.store.LogEnd(ctx)
	if err != nil {
		return "", err
	}
	if end.Size == 0 {
		return "none yet", nil
	}
	if _, err := ring(p.config, p.sys).Private(ctx, end.KeyID); err != nil {
		return "", err
	}
	log := receipts.Service{Log: p.store, Witness: headFile(p.config)}
	if err := log.Continues(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d; ctx-mcp verify looks at each", end.Size), nil
}

func checkPolicy(_ context.Context, p *patient) (string, error) {
	set, err := p.config.Policy()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d rules, default %s", set.Len(), set.Default()), nil
}

// checkRules reads the file of rules as a server does at its start.
func checkRules(_ context.Context, p *patient) (string, error) {
	if p.config.Rules == "" {
		return "not configured", nil
	}
	rules, err := readRules(p.config)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d in %s", len(rules), p.config.Rules), nil
}
