package main

import (
	"context"
	"fmt"

	"github.com/goccy/go-yaml"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// ruleFile is the file that memory.rules names.
type ruleFile struct {
	Rules []ruleEntry `yaml:"rules"`
}

// ruleEntry is a rule as it is written.
type ruleEntry struct {
	Name                  string            `yaml:"name"`
	Authority             string            `yaml:"authority"` // platform or developer
	Content               string            `yaml:"content"`
	Claim                 claimEntry        `yaml:"claim"`
	WhyItMatters          string            `yaml:"why_it_matters"`
	TaskTypes             []ctxmcp.TaskType `yaml:"task_types"`
	BehavioralImplication string            `yaml:"behavioral_implication"`
}

type claimEntry struct {
	Subject   string `yaml:"subject"`
	Predicate string `yaml:"predicate"`
	Value     string `yaml:"value"`
}

var ruleAuthorities = map[string]ctxmcp.Authority{
	"platform": ctxmcp.AuthorityPlatform, "developer": ctxmcp.AuthorityDeveloper, "": ctxmcp.AuthorityDeveloper,
}

// govern puts the rules of the configuration in force for the tenant of the configuration. Without a file nothing changes.
func (a *app) govern(ctx context.Context) error {
	if a.config.Rules == "" || a.config.ReadOnly {
		return nil
	}
	rules, err := readRules(a.config)
	if err != nil {
		return err
	}
	changed, err := a.memory.Govern(ctx, a.config.Tenant, rules)
	if err != nil {
		return fmt.Errorf("%s: %w", a.config.Rules, err)
	}
	if changed > 0 {
		a.logger.Info("rules are in force", "rules", len(rules), "changed", changed)
	}
	return nil
}

// readRules reads the rules that memory.rules names.
func readRules(c *config.Config) ([]memory.Rule, error) {
	path := c.Rules
	text, err := c.ReadFile("memory.rules", path)
	if err != nil {
		return nil, usage("memory.rules: %v", err)
	}
	var file ruleFile
	if err := yaml.UnmarshalWithOptions(text, &file, yaml.Strict()); err != nil {
		return nil, usage("%s: %s", path, yaml.FormatError(err, false, false))
	}
	var rules []memory.Rule
	for _, e := range file.Rules {
		authority, known := ruleAuthorities[e.Authority]
		if !known {
			return nil, usage("%s: rule %s: authority %q is neither platform nor developer", path, e.Name, e.Authority)
		}
		rules = append(rules, memory.Rule{
			Name: e.Name, Content: e.Content, Authority: authority, Claim: ctxmcp.Claim(e.Claim), WhyItMatters: e.WhyItMatters,
			TaskTypes: e.TaskTypes, BehavioralImplication: e.BehavioralImplication,
		})
	}
	return rules, nil
}
