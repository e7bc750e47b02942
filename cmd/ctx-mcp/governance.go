package main

import (
	"path/filepath"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
	"github.com/ctx-mcp/ctx-mcp/receipts/ocsf"
)

// governance holds the services that decide on actions and prove the decisions.
type governance struct {
	policy   decider
	ring     *keyring.Ring
	receipts *receipts.Service
	events   *ocsf.Writer // nil: none are configured
}

// decider returns the policy in force, and decides by it.
type decider func() *policy.Set

// Decide implements actions.Decider.
func (d decider) Decide(in policy.Input) ctxmcp.Decision { return d().Decide(in) }

// Digest implements actions.Decider.
func (d decider) Digest() string { return d().Digest() }

// deciderOf returns the policy of the settings: that of a file is read at once, so that a fault ends the start, and a preset, which has none, for the first
// decision.
func deciderOf(c *config.Config) (decider, error) {
	if c.PolicyFile != "" {
		set, err := c.Policy()
		return func() *policy.Set { return set }, err
	}
	return sync.OnceValue(func() *policy.Set {
		set, err := c.Policy()
		if err != nil { // it is part of the binary
			panic(err)
		}
		return set
	}), nil
}

// wireGovernance finds the policy and makes the service of receipts.
func (a *app) wireGovernance() error {
	set, err := deciderOf(a.config)
	if err != nil {
		return err
	}
	ring := ring(a.config, a.sys)
	a.governance = &governance{policy: set, ring: ring, receipts: &receipts.Service{
		Log: a.store, Keys: ring, Witness: headFile(a.config), Now: a.sys.now, Logger: a.logger,
	}}
	return a.openEvents()
}

// ring returns the signing keys of the installation.
func ring(c *config.Config, sys *system) *keyring.Ring {
	return &keyring.Ring{Dir: filepath.Join(c.Keys(), "receipts", "keys"), Random: sys.random}
}

// headFile returns where the last head of the receipts is kept beside the database.
func headFile(c *config.Config) keyring.HeadFile {
	return keyring.HeadFile(filepath.Join(c.DataDir, "receipts", "head"))
}
