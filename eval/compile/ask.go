package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// figures are of one question: the share of the evidence that is in the context, the share of the tokens of the context that
// are spent on evidence, and how many tokens and objects there are.
type figures struct {
	recall, precision float64
	tokens, objects   int
}

// entry is an object in a context, with its tokens.
type entry struct {
	object string
	tokens int
}

// judge compares entries with the evidence. total is the tokens of the whole context.
func judge(c *labelled.Conversation, q labelled.Query, entries []entry, total int) figures {
	found, spent := map[string]bool{}, 0
	for _, e := range entries {
		is := false
		for _, turn := range c.TurnsOf[e.object] {
			if slices.Contains(q.Evidence, turn) {
				found[turn], is = true, true
			}
		}
		if is {
			spent += e.tokens
		}
	}
	f := figures{recall: float64(len(found)) / float64(len(q.Evidence)), tokens: total, objects: len(entries)}
	if total > 0 {
		f.precision = float64(spent) / float64(total)
	}
	return f
}

func ask(ctx context.Context, s *labelled.Server, c *labelled.Conversation, q labelled.Query, t *table) error {
	ranked, err := recalled(ctx, s, c, q)
	if err != nil {
		return err
	}
	top := ranked[:min(20, len(ranked))]
	t.add("recall@20", judge(c, q, top, sum(top)), 0)
	for _, budget := range budgets {
		entries, total, err := compiled(ctx, s, c, q, budget)
		if err != nil {
			return err
		}
		t.add(fmt.Sprintf("%d compile_context", budget), judge(c, q, entries, total), budget)
		within := fill(ranked, budget)
		t.add(fmt.Sprintf("%d top results", budget), judge(c, q, within, sum(within)), budget)
		within = fill(latest(c), budget)
		t.add(fmt.Sprintf("%d latest turns", budget), judge(c, q, within, sum(within)), budget)
	}
	return nil
}

func recalled(ctx context.Context, s *labelled.Server, c *labelled.Conversation, q labelled.Query) ([]entry, error) {
	var out struct {
		Memories []struct {
			ObjectID string `json:"object_id"`
			Tokens   int    `json:"tokens"`
		} `json:"memories"`
	}
	err := s.Call(ctx, "recall", map[string]any{
		"query": q.Question, "limit": 300, "max_tokens": 1_000_000, "min_relevance": 0, "scope": map[string]any{"project": labelled.ID(c.Name)},
	}, &out)
	var all []entry
	for _, m := range out.Memories {
		all = append(all, entry{m.ObjectID, m.Tokens})
	}
	return all, err
}

func compiled(ctx context.Context, s *labelled.Server, c *labelled.Conversation, q labelled.Query, budget int) ([]entry, int, error) {
	var out struct {
		Tokens   int `json:"tokens"`
		Compiled []struct {
			ObjectID string `json:"object_id"`
			Tokens   int    `json:"tokens"`
		} `json:"compiled"`
		Metrics struct {
			LatencyMS float64 `json:"compilation_latency_ms"`
		} `json:"metrics"`
	}
	err := s.Call(ctx, "compile_context", map[string]any{
		"user_message": q.Question, "max_tokens": budget, "trace": true, "scope": map[string]any{"project": labelled.ID(c.Name)},
	}, &out)
	var all []entry
	for _, m := range out.Compiled {
		all = append(all, entry{m.ObjectID, m.Tokens})
	}
	return all, out.Tokens, err
}

// latest returns the turns of the conversation, the most recent first.
func latest(c *labelled.Conversation) []entry {
	object := map[string]string{}
	for id, turns := range c.TurnsOf {
		for _, turn := range turns {
			object[turn] = id
		}
	}
	turns := slices.Clone(c.Turns)
	slices.SortStableFunc(turns, func(a, b labelled.Turn) int { return when(a).Compare(when(b)) })
	slices.Reverse(turns)
	var all []entry
	for _, turn := range turns {
		all = append(all, entry{object[turn.ID], tokens.Approximate{}.Count(turn.Content())})
	}
	return all
}

func when(t labelled.Turn) time.Time {
	at, err := time.Parse("2006-01-02T15:04:05", t.Datetime)
	if err != nil {
		return time.Time{}
	}
	return at
}

// fill concatenates entries until the budget is spent.
func fill(all []entry, budget int) []entry {
	used := 0
	for i, e := range all {
		if used += e.tokens; used > budget {
			return all[:i]
		}
	}
	return all
}

func sum(all []entry) (n int) {
	for _, e := range all {
		n += e.tokens
	}
	return n
}
