package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// A table is a file of rules.
type table struct {
	Title string
	Rules []rule
}

type rule struct {
	ID          string
	Description string
	Regex       string
	Keywords    []string
	Entropy     float64
	SecretGroup int
	Path        string
	Tags        []string
	Allowlists  []allowlist
}

// An allowlist describes texts that are no secrets although the expression matches.
type allowlist struct {
	Description string
	Condition   string
	RegexTarget string
	Regexes     []string
	StopWords   []string
	Paths       []string
	Commits     []string
}

// Parse reads rules: [[rules]] with id, regex and keywords, and if wanted entropy, secretGroup and allowlists whose
// regexes or stopwords are of the secret. It returns an error that names the rule, and the key if that is unknown or
// cannot be kept, since a text has no path.
func Parse(text string) ([]redact.Rule, error) {
	var t table
	meta, err := toml.Decode(text, &t)
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("read rules: unknown key %q", unknown[0].String())
	}
	var list []redact.Rule
	for _, r := range t.Rules {
		if r.Path != "" || r.Regex == "" {
			return nil, fmt.Errorf("rule %q: it needs a regex, and a path cannot be kept", r.ID)
		}
		made, err := r.make()
		if err != nil {
			return nil, err
		}
		list = append(list, made)
	}
	return list, nil
}

// make returns the rule with its expressions compiled. It returns an error that names the fault.
func (r *rule) make() (redact.Rule, error) {
	made := r.plain()
	compiled, err := r.compile()
	if err != nil {
		return made, err
	}
	if made.Group > compiled.Regex.NumSubexp() {
		return made, fmt.Errorf("rule %q: the expression has no group %d", r.ID, made.Group)
	}
	for _, a := range r.Allowlists {
		if !a.ofSecret() {
			return made, fmt.Errorf("rule %q: an allowlist is of the secret, not of a line, a path or a commit", r.ID)
		}
	}
	made.Compile = func() redact.Expression { return compiled }
	return made, nil
}

// plain returns all of the rule but its expressions.
func (r *rule) plain() redact.Rule {
	made := redact.Rule{ID: r.ID, Keywords: r.Keywords, Group: r.SecretGroup, Entropy: r.Entropy}
	for _, a := range r.Allowlists {
		for _, word := range a.StopWords {
			made.Stop = append(made.Stop, strings.ToLower(word))
		}
	}
	return made
}

// ofSecret reports whether the allowlist is one of the secret alone.
func (a *allowlist) ofSecret() bool {
	return (a.RegexTarget == "" || a.RegexTarget == "secret") && len(a.Paths) == 0 && len(a.Commits) == 0
}

// compile compiles the rule's expressions.
func (r *rule) compile() (redact.Expression, error) {
	var made redact.Expression
	var err error
	if made.Regex, err = regexp.Compile(r.Regex); err != nil {
		return made, fmt.Errorf("rule %q: %w", r.ID, err)
	}
	for _, a := range r.Allowlists {
		for _, text := range a.Regexes {
			allow, err := regexp.Compile(text)
			if err != nil {
				return made, fmt.Errorf("rule %q: allowlist: %w", r.ID, err)
			}
			made.Allow = append(made.Allow, allow)
		}
	}
	return made, nil
}
