package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
	"github.com/ctx-mcp/ctx-mcp/receipts/ocsf"
)

// governance is what decides on actions, and proves what was decided.
type governance struct {
	policy   *policy.Set
	ring     *keyring.Ring
	receipts *receipts.Service
	events   *ocsf.Writer // nil: none are configured
}

// wireGovernance loads the policy and makes the service of receipts.
func (a *app) wireGovernance() error {
	set, err := a.config.policy()
	if err != nil {
		return err
	}
	ring := a.config.ring(a.sys)
	a.governance = &governance{policy: set, ring: ring, receipts: &receipts.Service{
		Log: a.store, Keys: ring, Witness: a.config.headFile(), Now: a.sys.now, Logger: a.logger,
	}}
	return a.openEvents()
}

// ring returns the signing keys of the installation.
func (c *Config) ring(sys *system) *keyring.Ring {
	return &keyring.Ring{Dir: filepath.Join(c.DataDir, "receipts", "keys"), Random: sys.random}
}

// headFile returns where the last head of the receipts is kept beside the database.
func (c *Config) headFile() keyring.HeadFile {
	return keyring.HeadFile(filepath.Join(c.DataDir, "receipts", "head"))
}

// policy loads the policy of the configuration: that of policy.file, or else the preset.
func (c *Config) policy() (*policy.Set, error) {
	if c.PolicyFile != "" {
		return loadPolicy(c.PolicyFile, ctxmcp.Verdict(c.PolicyDefault))
	}
	return preset(c.PolicyPreset).Load(ctxmcp.Verdict(c.PolicyDefault))
}

// loadPolicy reads a file with rules, whose default is deny unless another is given.
func loadPolicy(path string, fallback ctxmcp.Verdict) (*policy.Set, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("policy: %v", err)
	}
	if fallback == "" {
		fallback = ctxmcp.Deny
	}
	return policy.Load(path, string(text), fallback)
}

// preset returns the preset with the name, which must be one.
func preset(name string) policy.Preset {
	return policy.Presets()[slices.IndexFunc(policy.Presets(), func(p policy.Preset) bool { return p.Name == name })]
}

func presetNames() []string {
	var names []string
	for _, p := range policy.Presets() {
		names = append(names, p.Name)
	}
	return names
}

type presetValue string

func (v *presetValue) String() string { return string(*v) }
func (v *presetValue) Type() string   { return "word" }
func (v *presetValue) Set(text string) error {
	*v = presetValue(text)
	return word(text, presetNames())
}

// fallbackValue is allow or deny, or empty.
type fallbackValue string

func (v *fallbackValue) String() string { return string(*v) }
func (v *fallbackValue) Type() string   { return "word" }
func (v *fallbackValue) Set(text string) error {
	*v = fallbackValue(text)
	if text == "" {
		return nil
	}
	return word(text, []ctxmcp.Verdict{ctxmcp.Allow, ctxmcp.Deny})
}
