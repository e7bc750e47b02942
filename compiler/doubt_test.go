package compiler

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// doubted returns three statements of which each later one puts the one before it in doubt.
func doubted(schema string) (*state, []*item) {
	s := newState(Inputs{Schema: schema}, tokens.Approximate{})
	var items []*item
	for i := range 3 {
		said := time.Date(2025, 1, 1+i, 9, 0, 0, 0, time.UTC)
		it := &item{Candidate: Candidate{Kind: KindMemory, Object: ctxmcp.ContextObject{ObservedAt: said}}}
		if i > 0 {
			items[i-1].doubt = it
		}
		items = append(items, it)
	}
	return s, items
}

// TestDoubtNamesTheDay: the day of a later statement is told without the doubt about that one.
func TestDoubtNamesTheDay(t *testing.T) {
	for schema, want := range map[string]string{
		InputsSchema:       "2025-01-01 (maybe outdated since 2025-01-02)",
		fourthInputsSchema: "2025-01-01 (maybe outdated since 2025-01-02 (maybe outdated since 2025-01-03))",
	} {
		if s, items := doubted(schema); s.saidAt(items[0]) != want {
			t.Errorf("%s: saidAt = %q, want %q", schema, s.saidAt(items[0]), want)
		}
	}
}

// TestDoubtIsNeverAlone puts random memories of random worlds in doubt: whatever the budget, the later statement stands too, and before the one in doubt.
func TestDoubtIsNeverAlone(t *testing.T) {
	met, tight := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		in := randomWorld(r)
		in.Request.MaxTokens, in.Request.SystemPrompt = 150+r.IntN(400), ""
		for i := range 30 {
			in.Candidates = append(in.Candidates, plainCandidate(r, 100+i))
		}
		s := newState(in, tokens.Approximate{})
		var failed error
		for _, st := range stages {
			if st.name == "contain" {
				doubtAtRandom(s, r)
			}
			if failed = st.run(s); failed != nil {
				break
			}
		}
		if failed != nil {
			continue // its critical part is over the budget
		}
		for _, items := range s.bySection() {
			for i, it := range items {
				if it.doubt == nil || it.tier == Critical {
					continue
				}
				if met++; it.doubt.form < 0 || it.doubt.section == it.section && slices.Index(items, it.doubt) > i || it.doubt.section > it.section {
					t.Errorf("seed %d: %q stands in doubt, and %q stands in section %d (form %d)", seed, it.text, it.doubt.text, it.doubt.section, it.doubt.form)
				}
			}
		}
		for _, it := range s.items {
			if it.drop != nil && it.drop.reason == OverBudget {
				tight++
			}
		}
	}
	if met < 50 || tight < 100 {
		t.Errorf("%d doubts were met, and %d statements found no room: the test proves too little", met, tight)
	}
}

// plainCandidate returns a memory that the caller may see and nothing contradicts.
func plainCandidate(r *rand.Rand, i int) Candidate {
	c := randomCandidate(r, i)
	o := &c.Object
	c.Kind, c.Shorter, o.Authority, o.Domains, o.TenantID, o.Classification = KindMemory, nil, ctxmcp.AuthorityUser, nil, "acme", ctxmcp.Public
	o.PermissionScope, o.ContradictionStatus, o.ProjectID, o.Claim, o.ValidUntil = ctxmcp.PermissionScope{}, ctxmcp.Clean, "", ctxmcp.Claim{}, time.Time{}
	o.ObjectType = pick(r, ctxmcp.Preference, ctxmcp.IdentityFact, ctxmcp.ProjectDecision)
	return c
}

// doubtAtRandom puts about every third memory in doubt by a later one, or by one that was left out in favour of one.
func doubtAtRandom(s *state, r *rand.Rand) {
	var all []*item
	for _, it := range s.items {
		if it.Kind == KindMemory && it.attached == "" && !it.standard() && it.drop == nil {
			it.Object.ObservedAt = time.Date(2025, 1, 1+r.IntN(300), 9, 0, 0, 0, time.UTC)
			all = append(all, it)
		}
	}
	for _, older := range all {
		newer := all[r.IntN(len(all))]
		if r.IntN(4) > 0 && !isConstraint(older) && !isConstraint(newer) && !newer.contained && dayOf(older) != "" && dayOf(older) < dayOf(newer) {
			older.doubt = newer
		}
	}
	if len(all) > 2 && !slices.ContainsFunc(all[1:], func(it *item) bool { return it.doubt == all[0] }) {
		s.omit(all[0], NearDuplicate, all[1].id(), "")
	}
	s.settleDoubts()
	for _, it := range s.live() {
		it.forms = s.formsOf(it)
	}
}
