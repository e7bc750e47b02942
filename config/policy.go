package config

import (
	"cmp"
	"os"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
)

// Policy loads the policy of the configuration: that of policy.file, or else the preset. It returns CodeInvalid for rules that cannot
// be used.
func (c *Config) Policy() (*policy.Set, error) {
	if c.PolicyFile != "" {
		text, err := c.ReadFile("policy.file", c.PolicyFile)
		if err != nil {
			return nil, invalid("policy: %v", err)
		}
		return ParsePolicy(c.PolicyFile, text, ctxmcp.Verdict(c.PolicyDefault))
	}
	return Preset(c.PolicyPreset).Load(ctxmcp.Verdict(c.PolicyDefault))
}

// LoadPolicy reads a file with rules, whose default is deny unless another is given.
func LoadPolicy(path string, fallback ctxmcp.Verdict) (*policy.Set, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, invalid("policy: %v", err)
	}
	return ParsePolicy(path, text, fallback)
}

// ParsePolicy reads rules that a file holds, by its name for errors.
func ParsePolicy(name string, text []byte, fallback ctxmcp.Verdict) (*policy.Set, error) {
	return policy.Load(name, string(text), cmp.Or(fallback, ctxmcp.Deny))
}

// Preset returns the preset with the name, which must be one.
func Preset(name string) policy.Preset {
	return policy.Presets()[slices.IndexFunc(policy.Presets(), func(p policy.Preset) bool { return p.Name == name })]
}

// PresetNames lists the presets.
func PresetNames() []string {
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
	return Word(text, PresetNames())
}

// switchValue is on or off.
type switchValue bool

func (v *switchValue) String() string {
	if *v {
		return "on"
	}
	return "off"
}
func (v *switchValue) Type() string { return "word" }
func (v *switchValue) Set(text string) error {
	*v = text == "on"
	return Word(text, []string{"off", "on"})
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
	return Word(text, []ctxmcp.Verdict{ctxmcp.Allow, ctxmcp.Deny})
}
