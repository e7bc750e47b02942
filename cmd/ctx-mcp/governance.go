package main

import (
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
	"github.com/ctx-mcp/ctx-mcp/receipts/ocsf"
)

// governance holds the services that decide on actions and prove the decisions.
type governance struct {
	policy   *policy.Set
	ring     *keyring.Ring
	receipts *receipts.Service
	events   *ocsf.Writer // nil: none are configured
}

// wireGovernance loads the policy and makes the service of receipts.
func (a *app) wireGovernance() error {
	set, err := a.config.Policy()
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
