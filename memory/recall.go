package memory

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/origin"
)

// Ask is a question to memory. Only Query is required; Scope is resolved already.
type Ask struct {
	Query         string
	Limit         int      // memories; default 10
	MaxTokens     int      // of their contents together; default 1000
	MinRelevance  *float64 // in [0, 1]; nil takes the configured one
	ObjectTypes   []ctxmcp.ObjectType
	TaskType      ctxmcp.TaskType
	AsOf          time.Time // what is true then; default now
	BelievedAt    time.Time // what the system held then; default now
	ReferenceTime time.Time // what "last week" is relative to; default now
	Archived      bool      // archived memories too
	Origin        string    // URL or domain that the task is about: what was learned from another domain is left out
	Prefix        string    // "user_42:*": everything below, instead of what is visible from Scope
	Scope         ctxmcp.Scope
}

// Bounds of an ask.
const (
	defaultLimit  = 10
	maxLimit      = 1_000
	defaultTokens = 1_000
	maxTokens     = 1_000_000
	maxQuery      = 10_000 // characters
)

// Recalled is what memory answers.
type Recalled struct {
	Read      bool    // whether any memory passed the gate
	Best      float64 // relevance of the best candidate, passed or not
	Memories  []Memory
	Tokens    int
	Counter   string
	Omitted   map[Omission]int
	Namespace string // what was searched
	Warnings  []string
}

// Memory is an object that was recalled. Relevance is in [0, 1].
type Memory struct {
	Object    ctxmcp.ContextObject
	Relevance float64
	Tokens    int
}

// Omission is why a candidate was left out. The words are sent: append only.
type Omission string

// The omissions.
const (
	BelowRelevance Omission = "below_min_relevance"
	OtherTask      Omission = "not_for_task_type"
	NotActive      Omission = "why_it_matters_does_not_match"
	HasFaded       Omission = "faded"
	Contradicted   Omission = "contradicted"
	OverLimit      Omission = "over_limit"
	OverBudget     Omission = "over_max_tokens"
)

// Recall returns the memories that answer the question best, within the limit and the token budget, best first.
//
// It returns CodeInvalid for a malformed ask and CodeDenied for a prefix beyond the caller's own.
func (s *Service) Recall(ctx context.Context, by ctxmcp.Caller, ask Ask) (Recalled, error) {
	if err := s.checkAsk(&ask); err != nil {
		return Recalled{}, err
	}
	q, searched, err := s.recallQuery(by, ask)
	if err != nil {
		return Recalled{}, err
	}
	r := Recalled{Counter: s.Counter.Name(), Namespace: searched, Memories: []Memory{}, Omitted: map[Omission]int{}}
	asked := s.read(ask)
	candidates, warnings, err := s.candidates(ctx, q, asked, ask.Limit)
	if err != nil {
		return Recalled{}, err
	}
	r.Warnings = warnings
	for _, c := range candidates {
		if !q.Match(c.Object) { // the store has been wrong: that is a fault, never a leak
			return Recalled{}, fmt.Errorf("store returned %s, which the query does not select", c.Object.ObjectID)
		}
	}
	candidates = s.reconciled(candidates, &r)
	s.readGate(&r, candidates, ask, asked)
	s.used(r.Memories)
	return r, nil
}

func (s *Service) checkAsk(ask *Ask) error {
	switch {
	case !utf8.ValidString(ask.Query) || blankQuery(ask.Query):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "query is empty or is not text").WithHint("ask in the words that a memory may hold")
	case utf8.RuneCountInString(ask.Query) > maxQuery:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "query has over %d characters", maxQuery)
	case ask.Limit < 0 || ask.Limit > maxLimit:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "limit is not between 1 and %d", maxLimit)
	case ask.MaxTokens < 0 || ask.MaxTokens > maxTokens:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens is not between 1 and %d", maxTokens)
	case ask.MinRelevance != nil && !(*ask.MinRelevance >= 0 && *ask.MinRelevance <= 1):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "min_relevance is not between 0 and 1")
	}
	setDefault(&ask.Limit, defaultLimit)
	setDefault(&ask.MaxTokens, defaultTokens)
	errs := []error{optional("task_type", ask.TaskType, ctxmcp.TaskTypes()), s.notAhead("believed_at", ask.BelievedAt)}
	for _, t := range ask.ObjectTypes {
		errs = append(errs, ctxmcp.CheckWord("object_types", t, ctxmcp.ObjectTypes()))
	}
	return first(errs)
}

func blankQuery(text string) bool {
	for _, r := range text {
		if r > ' ' {
			return false
		}
	}
	return true
}

// recallQuery resolves the ask into a query, and says in words what is searched. A question about what was believed is
// about what was then held to be true then, unless it says otherwise.
func (s *Service) recallQuery(by ctxmcp.Caller, ask Ask) (Query, string, error) {
	q, searched := visible(by, ask.Scope), ask.Scope.Namespace()
	if ask.Prefix != "" {
		prefix, err := ctxmcp.ParsePrefix(ask.Prefix)
		if err != nil {
			return q, "", err
		}
		if q, err = within(by, prefix); err != nil {
			return q, "", err
		}
		searched = q.Under.Namespace() + ":*"
	}
	q.BelievedAt = ctxmcp.Instant(ask.BelievedAt)
	q.AsOf = ctxmcp.Instant(orElse(ask.AsOf, orElse(ask.BelievedAt, s.now())))
	q.Types, q.Archived = ask.ObjectTypes, ask.Archived
	if ask.Origin != "" {
		if q.Origin = origin.Domain(ask.Origin); q.Origin == "" {
			return q, "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "origin names no web domain").
				WithHint("give the address of the page, or its domain, such as shop.example")
		}
	}
	q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	return q, searched, nil
}

// readGate fills the answer from the candidates, best first: relevant, fit for the task, within the limit and the budget.
// A memory that does not fit leaves room for a shorter one behind it.
func (s *Service) readGate(r *Recalled, candidates []Memory, ask Ask, asked ranking.Question) {
	floor := s.options().MinRelevance
	if ask.MinRelevance != nil {
		floor = *ask.MinRelevance
	}
	for _, m := range candidates {
		r.Best = max(r.Best, m.Relevance)
		m.Tokens = s.Counter.Count(m.Object.Content)
		why := s.withholds(m, ask, asked, floor)
		switch {
		case why != "":
		case len(r.Memories) == ask.Limit:
			why = OverLimit
		case r.Tokens+m.Tokens > ask.MaxTokens:
			why = OverBudget
		default:
			r.Memories = append(r.Memories, m)
			r.Tokens += m.Tokens
			continue
		}
		r.Omitted[why]++
	}
	r.Read = len(r.Memories) > 0
	if !r.Read && r.Omitted[OverBudget] > 0 {
		r.Warnings = append(r.Warnings, "every relevant memory is longer than max_tokens: raise it")
	}
}

// withholds returns why a candidate does not answer the ask, or "".
func (s *Service) withholds(m Memory, ask Ask, asked ranking.Question, floor float64) Omission {
	switch {
	case m.Relevance < floor:
		return BelowRelevance
	case !m.Object.Archived && m.Object.Faded(orElse(ask.BelievedAt, s.now())):
		return HasFaded
	case ask.TaskType != "":
		return activation(m, ask.TaskType, asked)
	default:
		return ""
	}
}

// read reads the question of the ask.
func (s *Service) read(ask Ask) ranking.Question {
	return ranking.Read(ask.Query, orElse(ask.ReferenceTime, s.now()))
}
