package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
)

// Rule is a platform or developer rule from the configuration: the only way to authority 0.
type Rule struct {
	Name                  string // an id, unique among the rules
	Content               string
	Authority             ctxmcp.Authority // platform or developer
	Claim                 ctxmcp.Claim
	WhyItMatters          string
	TaskTypes             []ctxmcp.TaskType
	BehavioralImplication string
}

// ruleOrigin begins the origin of every rule from the configuration.
const ruleOrigin = "config://rules/"

func (r Rule) origin() string { return ruleOrigin + r.Name }

func (r Rule) check() error {
	switch {
	case !ctxmcp.ValidID(r.Name):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "a rule's name %q is not an id: use A-Z a-z 0-9 _ . -", clipped(r.Name))
	case r.Authority > ctxmcp.AuthorityDeveloper || r.Authority < ctxmcp.AuthorityPlatform:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "rule %s: authority is neither platform nor developer", r.Name)
	case blank(r.Content) || !utf8.ValidString(r.Content):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "rule %s has no content", r.Name)
	default:
		return nil
	}
}

// same reports whether the object says what the rule does.
func (r Rule) same(o ctxmcp.ContextObject) bool {
	return o.Content == r.Content && o.Authority == r.Authority && o.Claim == r.Claim && o.WhyItMatters == r.WhyItMatters &&
		slices.Equal(o.ApplicableTaskTypes, r.TaskTypes) && o.BehavioralImplication == r.BehavioralImplication
}

// draft returns the rule as it is remembered.
func (r Rule) draft() Draft {
	return Draft{
		Content: r.Content, Claim: r.Claim, WhyItMatters: r.WhyItMatters, TaskTypes: r.TaskTypes,
		BehavioralImplication: r.BehavioralImplication, ObjectType: ctxmcp.PolicyRule,
		Source: Source{Kind: ctxmcp.System, Origin: r.origin()}, Level: ctxmcp.PolicyLayer, Classification: ctxmcp.Public,
		platform: r.Authority == ctxmcp.AuthorityPlatform,
	}
}

// Govern puts the rules of the configuration in force for a tenant: new ones are remembered, changed ones superseded, and
// those that are gone retired. It returns how many it changed, and CodeInvalid for a rule that cannot be used, before
// anything is changed.
func (s *Service) Govern(ctx context.Context, tenant string, rules []Rule) (changed int, err error) {
	names := map[string]bool{}
	for i := range rules {
		if err := rules[i].check(); err != nil {
			return 0, err
		}
		if names[rules[i].origin()] {
			return 0, ctxmcp.Errorf(ctxmcp.CodeInvalid, "two rules are named %s", rules[i].Name)
		}
		names[rules[i].origin()] = true
		rules[i].Content, _ = s.Redact(tenant, rules[i].Content)
	}
	by := ctxmcp.Caller{Tenant: tenant, User: "config", Roles: []string{ctxmcp.Operator}, Clearance: ctxmcp.HighlyRestricted}
	held, err := s.Store.Find(ctx, Query{Tenant: tenant, Namespaces: []string{""}, Unrestricted: true})
	if err != nil {
		return 0, fmt.Errorf("find rules: %w", err)
	}
	inForce := map[string]ctxmcp.ContextObject{}
	for _, o := range held {
		if strings.HasPrefix(o.SourceOrigin, ruleOrigin) {
			inForce[o.SourceOrigin] = o
		}
	}
	for _, r := range rules {
		old, known := inForce[r.origin()]
		if known && r.same(old) {
			continue
		}
		d := r.draft()
		if known {
			d.Supersedes = old.ObjectID
		}
		if _, err := s.Remember(ctx, by, d); err != nil {
			return changed, fmt.Errorf("rule %s: %w", r.Name, err)
		}
		changed++
	}
	for origin, o := range inForce {
		if names[origin] {
			continue
		}
		if _, err := s.Forget(ctx, by, o.ObjectID, Retire, "no longer in the configuration"); err != nil {
			return changed, fmt.Errorf("retire %s: %w", origin, err)
		}
		changed++
	}
	return changed, nil
}
