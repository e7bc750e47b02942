package compiler

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// normalize gives every candidate its whole tenure and brings them into an order of their own, so that nothing later
// depends on the order in which a store returned them. Secrets were hidden, and tool results trimmed, before the inputs
// were: they are kept.
func normalize(s *state) error {
	if err := s.checkRequest(); err != nil {
		return err
	}
	redactions := map[string]int{}
	for _, r := range s.in.Redactions {
		redactions[r.Label] += r.Count
	}
	for _, c := range s.in.Candidates {
		s.items = append(s.items, &item{Candidate: withTenure(c, s.in), form: -1, text: c.Object.Content})
		for _, r := range c.Redactions {
			redactions[r.Label] += r.Count
		}
	}
	slices.SortFunc(s.items, compareItems)
	s.items = slices.CompactFunc(s.items, func(a, b *item) bool { return a.Kind == b.Kind && a.pin() == b.pin() })
	s.record.In = len(s.items)
	for _, it := range s.items {
		if it.Failed != "" {
			s.omit(it, ProviderFailed, "", it.Failed)
		}
	}
	s.out.Trace.Metrics.Redactions = countsOf(redactions)
	return s.readHistory()
}

func (s *state) checkRequest() error {
	r := s.in.Request
	if err := ctxmcp.CheckWord("format", r.Format, Formats()); err != nil {
		return err
	}
	if r.MaxTokens <= 0 {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens is not above 0")
	}
	return nil
}

// compareItems orders by what an item is; of two of the same version the more relevant stands first.
func compareItems(a, b *item) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Object.ObjectID, b.Object.ObjectID),
		cmp.Compare(a.Object.Version, b.Object.Version), cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(a.text, b.text))
}

// withTenure completes the object of a candidate that is no memory: it stands on the authority of its channel, and never higher.
func withTenure(c Candidate, in Inputs) Candidate {
	if c.Kind == KindMemory {
		return c
	}
	o := &c.Object
	o.TenantID, o.Version = in.Caller.Tenant, max(o.Version, 1)
	switch c.Kind {
	case KindTaskState:
		o.Authority = max(o.Authority, ctxmcp.AuthorityInferred)
	default:
		o.Authority = ctxmcp.AuthorityRetrieved
	}
	if o.ObjectType == "" {
		o.ObjectType = ctxmcp.RetrievedPassage
	}
	if o.Classification == "" {
		o.Classification = ctxmcp.Restricted
	}
	if o.ContradictionStatus == "" {
		o.ContradictionStatus = ctxmcp.Clean
	}
	if o.TxStart.IsZero() {
		o.TxStart = in.Instant
	}
	if o.ValidFrom.IsZero() {
		o.ValidFrom = in.Request.AsOf
	}
	return c
}

// countsOf returns counts by label, in the order of the labels.
func countsOf(counts map[string]int) []Redaction {
	all := []Redaction{}
	for label, n := range counts {
		all = append(all, Redaction{label, n})
	}
	slices.SortFunc(all, func(a, b Redaction) int { return cmp.Compare(a.Label, b.Label) })
	return all
}
