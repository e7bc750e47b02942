package memory

import (
	"cmp"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// readGate fills the answer from the candidates, best first: relevant, fit for the task, within the limit and the budget.
// A memory that does not fit leaves room for a shorter one behind it. In an answer for an earlier time an outdated memory may stand without its successor.
func (s *recaller) readGate(r *Recalled, candidates []Memory, ask Ask, asked ranking.Question, earlier bool) {
	best := 0.0
	for i := range candidates {
		best = max(best, candidates[i].Relevance)
	}
	statements := len(candidates) > 0 && candidates[0].Object.Author == "" // of turns of conversations relevance is something else
	if statements && best < hardly {
		ask.Limit = min(ask.Limit, mostHardly)
	}
	usual, at := *s.options().MinRelevance, cmp.Or(ask.BelievedAt, s.now())
	for i := range candidates {
		m := &candidates[i]
		r.Best = max(r.Best, m.Relevance)
		why := Omission("")
		if m.Part == "" {
			why = withholds(m, ask, asked, usual, at)
		}
		if why == "" {
			why = s.take(r, m, ask)
		}
		if why != "" {
			r.Omitted[why]++
		}
	}
	if !earlier {
		withoutLoneOld(r)
	}
	r.Unsure = statements && len(r.Memories) > 0 && best < unsureBelow && ask.TaskType == ""
	if len(r.Memories) == 0 && r.Omitted[OverBudget] > 0 {
		r.Warnings = append(r.Warnings, "every relevant memory is longer than max_tokens: raise it")
	}
}

// The relevance of the best candidate below which it is open whether anything answers, and below which hardly anything does: then few are sent. Of 343 questions
// to fourteen lives that nothing answers, 67 in a hundred lie below the first and 45 below the second; of 266 that something answers, 24 and 9.
const (
	unsureBelow = 0.25
	hardly      = 0.2
	mostHardly  = 4
)

// take adds a memory to the answer, if it is within the limit and the budget, and returns why it is not, or "". What is over the limit is not priced.
func (s *recaller) take(r *Recalled, m *Memory, ask Ask) Omission {
	if len(r.Memories) == ask.Limit {
		return OverLimit
	}
	if m.Tokens = s.price(ask, m.Object); r.Tokens+m.Tokens > ask.MaxTokens {
		return OverBudget
	}
	r.Memories = append(r.Memories, *m)
	r.Tokens += m.Tokens
	return ""
}

// price returns what a memory costs in the answer.
func (s *recaller) price(ask Ask, o ctxmcp.ContextObject) int {
	if ask.Price == nil {
		return s.Counter.Count(o.Content)
	}
	return ask.Price(o)
}

// withholds returns why a candidate does not answer the ask at an instant, or "". The usual relevance is that of an ask which names none.
func withholds(m *Memory, ask Ask, asked ranking.Question, usual float64, at time.Time) Omission {
	switch {
	case ask.MinRelevance != nil && m.Relevance < *ask.MinRelevance, ask.MinRelevance == nil && !m.Leading && m.Relevance < usual:
		return BelowRelevance
	case !m.Object.Archived && m.Object.DecayRule != nil && m.Object.Faded(at):
		return HasFaded
	case ask.TaskType != "":
		return activation(m, ask.TaskType, asked)
	default:
		return ""
	}
}
