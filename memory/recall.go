package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
	"github.com/ctx-mcp/ctx-mcp/memory/origin"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// Recall returns the memories that answer the question best, within the limit and the token budget, best first; or a brief, or
// a page of a list, as the ask says.
//
// It returns CodeInvalid for a malformed ask and CodeDenied for a prefix beyond the caller's own.
func (s *recaller) Recall(ctx context.Context, by ctxmcp.Caller, ask Ask) (Recalled, error) {
	if err := checkQuery(ask); err != nil {
		return Recalled{}, err
	}
	asked := s.read(ask)
	isBrief, isList := ask.asksForBrief(asked), ask.asksForList(asked)
	if isBrief {
		ask.MaxTokens = cmp.Or(ask.MaxTokens, defaultBrief)
	}
	most := ask.Limit
	if err := s.checkAsk(&ask); err != nil {
		return Recalled{}, err
	}
	if isBrief {
		ask.Limit = most // without one, any number
	}
	q, searched, err := s.recallQuery(by, ask)
	if err != nil {
		return Recalled{}, err
	}
	r := Recalled{
		MaxTokens: ask.MaxTokens, Counter: s.Counter.Name(), Namespace: searched, Memories: []Memory{}, Omitted: map[Omission]int{},
		Then: !ask.AsOf.IsZero() || !ask.BelievedAt.IsZero(),
	}
	switch {
	case isBrief:
		err = s.brief(ctx, &r, q, asked, ask)
	case isList:
		err = s.list(ctx, &r, q, asked, ask)
	default:
		err = s.answer(ctx, by, &r, q, asked, ask)
	}
	if err != nil {
		return Recalled{}, err
	}
	for i := range r.Memories { // candidates are others' too
		r.Memories[i].Object = r.Memories[i].Object.Clone()
	}
	if r.Read = len(r.Memories) > 0; !r.Read && !ask.SaidOnly {
		if err := s.explain(ctx, &r, q); err != nil {
			return Recalled{}, err
		}
	}
	if err := s.shownIn(ctx, by.Tenant, &r, ask); err != nil {
		return Recalled{}, err
	}
	if s.Options.TrackUse || s.Options.RefreshOnUse {
		s.uses.note(by, r.Memories, s.now())
	}
	return r, nil
}

// answer fills the answer with what the question finds, behind what holds for the task whatever it asks.
func (s *recaller) answer(ctx context.Context, by ctxmcp.Caller, r *Recalled, q Query, asked ranking.Question, ask Ask) error {
	then, ahead, asked, err := s.namedTime(ctx, q, ask, asked)
	if err != nil {
		return err
	}
	named := then != ctxmcp.Interval{}
	ever, earlier := ask.asksEver(asked) || named && !ahead, asked.AsksEarlier() || named && !ahead
	switch {
	case ahead:
		q.AsOf = then.To.Add(-time.Microsecond)
	case ever:
		q.AsOf = time.Time{}
	}
	in := rooms.Get().(*room)
	defer in.giveBack()
	candidates, warnings, err := s.searchInto(ctx, in, q, asked, ask.Limit)
	if err != nil {
		return err
	}
	r.Warnings = warnings
	for i := range candidates {
		if o := &candidates[i].Object; !q.Selects(o) { // the store has been wrong: that is a fault, never a leak
			return fmt.Errorf("store returned %s, which the query does not select", o.ObjectID)
		}
	}
	if candidates, err = s.besideLater(ctx, r, q, asked, ask, candidates); err != nil {
		return err
	}
	candidates, contradicted := s.reconciled(candidates)
	if contradicted > 0 {
		r.Omitted[Contradicted] = contradicted
	}
	next := map[string]string{}
	if ask.AsOf.IsZero() && ask.BelievedAt.IsZero() && !ever && !ahead {
		next = nextOf(q, candidates)
	}
	if candidates, err = s.newerFirst(ctx, q, candidates, asked, earlier); err != nil {
		return err
	}
	switch {
	case named && !ahead:
		candidates = soThen(candidates, then)
	case ever:
		candidates = earlierFirst(candidates, s.now())
	}
	if named {
		r.Then, r.Warnings = true, append(r.Warnings, toldThen(then))
	}
	if candidates, err = s.withComing(ctx, q, candidates, next); err != nil {
		return err
	}
	if ask.Newest {
		slices.SortStableFunc(candidates, func(a, b Memory) int { return Compare(b.Object, a.Object) })
	}
	if candidates, err = s.withConstraints(ctx, q, candidates, ask); err != nil {
		return err
	}
	s.readGate(r, candidates, ask, asked, earlier)
	return nil
}

// mostTried is the number of words that an answer without memories suggests, and triedFrom that of the newest memories they are from.
const mostTried, triedFrom = 6, 30

// explain says of an answer without memories how many are in reach, and words that some of them hold.
func (s *recaller) explain(ctx context.Context, r *Recalled, q Query) (err error) {
	q.Types = nil
	if r.Held, err = s.Store.Count(ctx, q); err != nil || r.Held == 0 {
		return err
	}
	q.Newest, q.Limit = true, triedFrom
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return fmt.Errorf("find words to try: %w", err)
	}
	found = slices.DeleteFunc(found, func(o ctxmcp.ContextObject) bool { return !q.Match(o) })
	if err := s.Shown(ctx, ctxmcp.Caller{Tenant: q.Tenant}, found); err != nil {
		return err
	}
	r.Try = brief.Words(found, mostTried)
	return nil
}

func checkQuery(ask Ask) error {
	switch {
	case !utf8.ValidString(ask.Query):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "query is not text").WithHint("ask in the words that a memory may hold")
	case utf8.RuneCountInString(ask.Query) > maxQuery:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "query has over %d characters", maxQuery)
	}
	return nil
}

func (s *recaller) checkAsk(ask *Ask) error {
	switch {
	case checkQuery(*ask) != nil:
		return checkQuery(*ask)
	case ask.Limit < 0 || ask.Limit > maxLimit:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "limit is not between 1 and %d", maxLimit)
	case ask.MaxTokens < 0 || ask.MaxTokens > maxTokens:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens is not between 1 and %d", maxTokens)
	case ask.MinRelevance != nil && !(*ask.MinRelevance >= 0 && *ask.MinRelevance <= 1):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "min_relevance is not between 0 and 1")
	}
	ask.Limit, ask.MaxTokens = cmp.Or(ask.Limit, defaultLimit), cmp.Or(ask.MaxTokens, defaultTokens)
	errs := []error{optional("task_type", ask.TaskType, ctxmcp.TaskTypes()), s.notAhead("believed_at", ask.BelievedAt)}
	for _, t := range ask.ObjectTypes {
		errs = append(errs, ctxmcp.CheckWord("object_types", t, ctxmcp.ObjectTypes()))
	}
	return first(errs)
}

// needsQuery returns CodeInvalid for an ask without a question, where one is needed.
func needsQuery(ask Ask) error {
	if strings.TrimSpace(ask.Query) != "" {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "query is empty or is not text").WithHint("ask in the words that a memory may hold")
}

// recallQuery resolves the ask into a query, and returns the name of the place that is searched. A question about an earlier
// belief is about the facts of that time, unless it says otherwise.
func (s *recaller) recallQuery(by ctxmcp.Caller, ask Ask) (Query, string, error) {
	q, searched := visibleFrom(by, ask.Scope), ask.Scope.Namespace()
	if ask.Prefix != "" {
		prefix, err := ctxmcp.ParsePrefix(ask.Prefix)
		if err != nil {
			return q, "", err
		}
		if q, err = belowPrefix(by, prefix); err != nil {
			return q, "", err
		}
		searched = q.Under.Namespace() + ":*"
	}
	q.BelievedAt = ctxmcp.Instant(ask.BelievedAt)
	q.AsOf = ctxmcp.Instant(cmp.Or(ask.AsOf, cmp.Or(ask.BelievedAt, s.now())))
	q.Types, q.Archived, q.For = ask.ObjectTypes, ask.Archived, by.User
	if ask.Origin != "" {
		if q.Origin = origin.Domain(ask.Origin); q.Origin == "" {
			return q, "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "origin names no web domain").
				WithHint("give the address of the page, or its domain, such as shop.example")
		}
	}
	q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	return q, searched, nil
}

// read reads the question of the ask.
func (s *recaller) read(ask Ask) ranking.Question {
	return ranking.Read(ask.Query, cmp.Or(ask.ReferenceTime, s.now()))
}
