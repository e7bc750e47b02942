package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
)

// ask asks every question of the conversation.
func ask(ctx context.Context, s *labelled.Server, c *labelled.Conversation) error {
	for _, q := range c.Queries {
		arguments := map[string]any{
			"query": q.Question, "limit": 100, "max_tokens": 1_000_000, "min_relevance": 0,
			"scope": map[string]any{"project": labelled.ID(c.Name)},
		}
		if q.Datetime != "" {
			arguments["reference_time"] = q.Datetime
		}
		var out struct {
			Memories []struct {
				ObjectID string `json:"object_id"`
			} `json:"memories"`
		}
		if err := s.Call(ctx, "recall", arguments, &out); err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		ranked := []string{}
		for _, m := range out.Memories {
			ranked = append(ranked, c.TurnsOf[m.ObjectID]...)
		}
		c.Ranked = append(c.Ranked, ranked)
	}
	return nil
}

// write writes the run: for each question the turns in the order in which recall returned them.
func write(path string, convs []*labelled.Conversation) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	for _, c := range convs {
		for i, q := range c.Queries {
			if err := e.Encode(map[string]any{"query_id": q.ID, "ranked": c.Ranked[i]}); err != nil {
				return err
			}
		}
	}
	return f.Close()
}
