package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
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
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "a rule's name %q is not an id: use A-Z a-z 0-9 _ . -", ctxmcp.Clip(r.Name, 40))
	case r.Authority > ctxmcp.AuthorityDeveloper || r.Authority < ctxmcp.AuthorityPlatform:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "rule %s: authority is neither platform nor developer", r.Name)
	case blank(r.Content) || !utf8.ValidString(r.Content):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "rule %s has no content", r.Name)
	default:
		return nil
	}
}

// same reports whether the object states the rule.
func (r Rule) same(o ctxmcp.ContextObject) bool {
	return o.Content == r.Content && o.Authority == r.Authority && o.Claim == r.Claim && o.WhyItMatters == r.WhyItMatters &&
		slices.Equal(o.ApplicableTaskTypes, r.TaskTypes) && o.BehavioralImplication == r.BehavioralImplication
}

// draft returns the draft that remembers the rule.
func (r Rule) draft() Draft {
	return Draft{
		Content: r.Content, Claim: r.Claim, WhyItMatters: r.WhyItMatters, TaskTypes: r.TaskTypes,
		BehavioralImplication: r.BehavioralImplication, ObjectType: ctxmcp.PolicyRule,
		Source: Source{Kind: ctxmcp.System, Origin: r.origin()}, Level: ctxmcp.PolicyLayer, Classification: ctxmcp.Public,
		platform: r.Authority == ctxmcp.AuthorityPlatform,
	}
}

// redacted returns the rule without the secrets in its texts.
func (r Rule) redacted(hide *redact.Pass) Rule {
	d, _ := r.draft().redacted(hide)
	r.Content, r.Claim, r.WhyItMatters, r.BehavioralImplication = d.Content, d.Claim, d.WhyItMatters, d.BehavioralImplication
	return r
}

// checkRules returns CodeInvalid for a rule that cannot be used, and for two of one name or of one content.
func checkRules(rules []Rule) error {
	said := map[string]string{}
	for _, r := range rules {
		if err := r.check(); err != nil {
			return err
		}
		for _, key := range []string{"name " + r.Name, "content " + ctxmcp.Normalize(r.Content)} {
			if other, twice := said[key]; twice {
				return ctxmcp.Errorf(ctxmcp.CodeInvalid, "rules %s and %s have one name or say the same", other, r.Name)
			}
			said[key] = r.Name
		}
	}
	return nil
}

// Govern puts the rules of the configuration in force for a tenant: new ones are remembered, changed ones replaced, and
// those that are gone retired. It returns how many it changed, CodeInvalid for a rule that cannot be used, before anything
// is changed, and CodeConflict for one that contradicts another.
func (s *writer) Govern(ctx context.Context, tenant string, rules []Rule) (changed int, err error) {
	if err := checkRules(rules); err != nil {
		return 0, err
	}
	by := ctxmcp.Caller{Tenant: tenant, User: "config", Roles: []string{ctxmcp.Operator}, Clearance: ctxmcp.HighlyRestricted}
	inForce, err := s.rulesInForce(ctx, tenant)
	if err != nil {
		return 0, err
	}
	for _, r := range rules {
		hide := s.Redact.Pass(ctx, tenant)
		if r = r.redacted(hide); hide.Err() != nil {
			return changed, hide.Err()
		}
		old, known := inForce[r.origin()]
		delete(inForce, r.origin())
		if known && r.same(old) {
			continue
		}
		changed++
		if err := s.enact(ctx, by, r, old); err != nil {
			return changed, fmt.Errorf("rule %s: %w", r.Name, err)
		}
	}
	for _, origin := range slices.Sorted(maps.Keys(inForce)) {
		if _, err := s.Forget(ctx, by, inForce[origin].ObjectID, Retire, "no longer in the configuration"); err != nil {
			return changed, fmt.Errorf("retire %s: %w", origin, err)
		}
		changed++
	}
	return changed, nil
}

// rulesInForce returns the rules of the configuration that hold now, by origin.
func (s *writer) rulesInForce(ctx context.Context, tenant string) (map[string]ctxmcp.ContextObject, error) {
	held, err := s.Store.Find(ctx, Query{Tenant: tenant, Namespaces: []string{""}, Unrestricted: true, AsOf: s.now()})
	if err != nil {
		return nil, fmt.Errorf("find rules: %w", err)
	}
	inForce := map[string]ctxmcp.ContextObject{}
	for _, o := range held {
		if strings.HasPrefix(o.SourceOrigin, ruleOrigin) {
			inForce[o.SourceOrigin] = o
		}
	}
	return inForce, nil
}

// enact remembers a rule in the place of an old one, which is the zero object where there is none. A rule that falls in
// authority cannot supersede: the old one ends first.
func (s *writer) enact(ctx context.Context, by ctxmcp.Caller, r Rule, old ctxmcp.ContextObject) error {
	d := r.draft()
	switch {
	case old.ObjectID == "":
	case old.Authority.Outranks(r.Authority):
		if _, err := s.Forget(ctx, by, old.ObjectID, Retire, "changed in the configuration"); err != nil {
			return err
		}
	default:
		d.Supersedes = old.ObjectID
	}
	done, err := s.Remember(ctx, by, d)
	if err == nil && done.Status != Stored && done.Status != Superseded {
		err = ctxmcp.Errorf(ctxmcp.CodeConflict, "it is %s: %s", done.Status, done.Reason).
			WithHint("change or remove one of the rules that contradict each other")
	}
	return err
}
