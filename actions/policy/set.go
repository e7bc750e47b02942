package policy

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
	exp "github.com/cedar-policy/cedar-go/x/exp/ast"

	"github.com/ctx-mcp/ctx-mcp"
)

// Set is a set of rules that has been checked, with its default. It is safe for concurrent use.
type Set struct {
	rules    map[string]rule
	permits  ordered
	forbids  ordered
	fallback ctxmcp.Verdict
	text     string
	digest   string
}

// Load reads rules in Cedar; name is for messages. fallback, allow or deny, is the verdict where no rule speaks. It returns
// CodeInvalid, with the place, for a text that is not Cedar, a rule that the schema refuses, an unknown annotation, an id
// that is missing or used twice, and a rule that is written twice.
func Load(name, text string, fallback ctxmcp.Verdict) (*Set, error) {
	if fallback != ctxmcp.Allow && fallback != ctxmcp.Deny {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the default of a policy is allow or deny, not %q", fallback)
	}
	list, err := cedar.NewPolicyListFromBytes(name, []byte(text))
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is not a Cedar policy: %v", name, err)
	}
	s := &Set{rules: map[string]rule{}, fallback: fallback, text: text}
	bodies := map[string]string{}
	for _, p := range list {
		if err := s.add(p, bodies); err != nil {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s:%d: %v", name, p.Position().Line, err).
				WithHint("ctx-mcp policy show --schema lists what a rule can speak of")
		}
	}
	s.digest = s.sum(list)
	return s, nil
}

func (s *Set) add(p *cedar.Policy, bodies map[string]string) error {
	r, err := newRule(p)
	if err != nil {
		return err
	}
	if _, taken := s.rules[r.id]; taken {
		return fmt.Errorf("the id %s is used twice", r.id)
	}
	if twin, written := bodies[r.body()]; written {
		return fmt.Errorf("%s says what %s says", r.id, twin)
	}
	s.rules[r.id], bodies[r.body()] = r, r.id
	if r.permits {
		s.permits = append(s.permits, named{cedar.PolicyID(r.id), p})
	} else {
		s.forbids = append(s.forbids, named{cedar.PolicyID(r.id), p})
	}
	return nil
}

// sum returns the digest of the rules in the order of their ids, in the form that Cedar gives them, and of the default:
// comments and white space do not count.
func (s *Set) sum(list cedar.PolicyList) string {
	slices.SortStableFunc(list, func(a, b *cedar.Policy) int {
		return cmp.Compare(a.Annotations()["id"], b.Annotations()["id"])
	})
	h := sha256.New()
	fmt.Fprintf(h, "ctx-mcp policy 1\ndefault %s\n%s", s.fallback, list.MarshalCedar())
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// Digest returns the SHA-256 of the rules and the default, as sha256:hex: it names the set in a receipt.
func (s *Set) Digest() string { return s.digest }

// Text returns the rules as they were loaded.
func (s *Set) Text() string { return s.text }

// Default returns the verdict where no rule speaks.
func (s *Set) Default() ctxmcp.Verdict { return s.fallback }

// Len returns the number of rules.
func (s *Set) Len() int { return len(s.rules) }

// named is a policy under its id, and ordered a list of them: Cedar goes through it in order, so that what it answers does
// not depend on the order of a map.
type named struct {
	id     cedar.PolicyID
	policy *cedar.Policy
}

type ordered []named

// All implements cedar.PolicyIterator.
func (o ordered) All() iter.Seq2[cedar.PolicyID, *cedar.Policy] {
	return func(yield func(cedar.PolicyID, *cedar.Policy) bool) {
		for _, n := range o {
			if !yield(n.id, n.policy) {
				return
			}
		}
	}
}

func cedarKey(name string) types.AnnotationKey { return types.AnnotationKey(name) }

func validated(p *cedar.Policy) *exp.Policy { return (*exp.Policy)(p.AST()) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
