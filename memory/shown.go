package memory

import (
	"context"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Objects leave the service through shown: it hides in them what the settings hide by now, and did not when they were stored. The store
// keeps them as they are, and so do the functions that say "as stored".

// shown hides in the objects what is hidden today, and returns the places of those that held some of it.
func (s *Core) shown(ctx context.Context, tenant string, objects ...*ctxmcp.ContextObject) (changed []int, err error) {
	if len(objects) == 0 { // else the first call, of a new session above all, would make the rules ready for nothing
		return nil, nil
	}
	hide := s.Redact.Pass(ctx, tenant)
	var all strings.Builder // a find may be of two texts that only stand beside each other: each is then looked at by itself
	for _, o := range objects {
		for _, text := range append(textsOf(o), new(o.Claim.String())) {
			all.WriteString(*text)
			all.WriteString("\n\n")
		}
	}
	if _, found := hide.Text(all.String()); len(found) == 0 {
		return nil, hide.Err()
	}
	for i, o := range objects {
		if hideIn(o, hide) {
			changed = append(changed, i)
		}
	}
	return changed, hide.Err()
}

// textsOf lists the free texts of an object but for its claim, which is hidden as a whole.
func textsOf(o *ctxmcp.ContextObject) []*string {
	texts := []*string{&o.Content, &o.Author, &o.WhyItMatters, &o.BehavioralImplication, &o.SourceOrigin, &o.UpdatePath, &o.NormalizedClaim}
	for _, list := range [][]string{o.Aliases, o.Matters} {
		for i := range list {
			texts = append(texts, &list[i])
		}
	}
	return texts
}

// hideIn hides the secrets of one object, and reports whether it held any. Other copies of the object do not change.
func hideIn(o *ctxmcp.ContextObject, hide *redact.Pass) bool {
	clean, some := o.Clone(), false
	for _, text := range textsOf(&clean) {
		hidden, found := hide.Text(*text)
		*text, some = hidden, some || len(found) > 0
	}
	claim, found := redactedClaim(clean.Claim, hide)
	clean.Claim, some = claim, some || len(found) > 0
	if some {
		*o = clean
	}
	return some
}

// Shown hides in objects of the caller's, in place, what the settings hide by now: for those that were read as stored.
func (s *recaller) Shown(ctx context.Context, by ctxmcp.Caller, list []ctxmcp.ContextObject) error {
	var all []*ctxmcp.ContextObject
	for i := range list {
		all = append(all, &list[i])
	}
	_, err := s.shown(ctx, by.Tenant, all...)
	return err
}

// shownIn is shown for the memories of an answer, whose prices follow. What was stored stays beside what is shown.
func (s *recaller) shownIn(ctx context.Context, tenant string, r *Recalled, ask Ask) error {
	var all []*ctxmcp.ContextObject
	stored := slices.Clone(r.Memories)
	for i := range r.Memories {
		all = append(all, &r.Memories[i].Object)
	}
	changed, err := s.shown(ctx, tenant, all...)
	for _, i := range changed {
		m := &r.Memories[i]
		m.stored = &stored[i].Object
		r.Tokens -= m.Tokens
		m.Tokens = s.price(ask, m.Object)
		r.Tokens += m.Tokens
	}
	return err
}

// shownItems is shown for the candidates of reviews.
func (s *reviewer) shownItems(ctx context.Context, tenant string, items ...*ReviewItem) error {
	hide := s.Redact.Pass(ctx, tenant)
	var all []*ctxmcp.ContextObject
	for _, item := range items {
		item.Question, _ = hide.Text(item.Question)
		for i := range item.Candidates {
			item.Candidates[i].Name, _ = hide.Text(item.Candidates[i].Name)
			all = append(all, &item.Candidates[i].Object)
		}
	}
	if err := hide.Err(); err != nil {
		return err
	}
	_, err := s.shown(ctx, tenant, all...)
	return err
}

// shownTexts hides in an answer to a draft the texts of the other objects that it names.
func (s *writer) shownTexts(ctx context.Context, tenant string, r *Remembered) error {
	hide := s.Redact.Pass(ctx, tenant)
	for i := range r.Displaced {
		r.Displaced[i].Content, _ = hide.Text(r.Displaced[i].Content)
	}
	for i := range r.Similar {
		r.Similar[i].Content, _ = hide.Text(r.Similar[i].Content)
		r.Similar[i].OutdatedPart, _ = hide.Text(r.Similar[i].OutdatedPart)
	}
	for i := range r.Claims {
		r.Claims[i].Value, _ = hide.Text(r.Claims[i].Value)
	}
	return hide.Err()
}
