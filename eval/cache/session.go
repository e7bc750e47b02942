package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

var scope = map[string]any{"project": "migration", "session": "one"}

// systemPrompt is as long as those of agents are.
var systemPrompt = "You are an engineer who migrates databases.\n" + strings.Repeat(
	"Before you change a table you read its definition, its indexes and the queries that use it, and you say what you found in a sentence. ", 60)

// setUp makes the rules that hold from the beginning.
func setUp(ctx context.Context, s *labelled.Server) error {
	for n := range 12 {
		if err := remember(ctx, s, map[string]any{
			"content":     fmt.Sprintf("Rule %d: a migration of kind %d is reviewed by two people and can be undone within an hour.", n, n),
			"object_type": "policy_rule", "level": "policy", "source": map[string]any{"kind": "system", "origin": fmt.Sprintf("system://rules/%d", n)},
		}); err != nil {
			return err
		}
	}
	return nil
}

// happenings sends the server the news before a turn: a memory, a result of a tool every third turn (with the compile), and once a tool.
func happenings(ctx context.Context, s *labelled.Server, n int) error {
	if n == registered {
		if err := remember(ctx, s, map[string]any{
			"content": "Tool explain_plan(query): returns the plan of a query without running it.", "object_type": "tool_schema",
			"level": "tool", "source": map[string]any{"kind": "system", "origin": "system://tools/explain_plan"},
		}); err != nil {
			return err
		}
	}
	return remember(ctx, s, map[string]any{
		"content": fmt.Sprintf("In step %d we decided that the limit for part %d of the migration is %d rows.", n, n%7, 1000+n),
		"level":   "project", "source": map[string]any{"kind": "user_statement"},
	})
}

func remember(ctx context.Context, s *labelled.Server, arguments map[string]any) error {
	arguments["scope"] = scope
	var out struct {
		Status string `json:"status"`
	}
	if err := s.Call(ctx, "remember", arguments, &out); err != nil {
		return err
	}
	if out.Status != "stored" && out.Status != "superseded" {
		return fmt.Errorf("remember answered %s", out.Status)
	}
	return nil
}

// output is the part of a result of compile_context that a cache sees.
type output struct {
	System   []part    `json:"system"`
	Messages []message `json:"messages"`
}

type message struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls json.RawMessage `json:"tool_calls"`
}

type part struct {
	Type       string          `json:"type"`
	Text       string          `json:"text"`
	Content    json.RawMessage `json:"content"`
	Name       string          `json:"name"`
	Cache      json.RawMessage `json:"cache_control"`
	Breakpoint json.RawMessage `json:"prompt_cache_breakpoint"`
}

func compile(ctx context.Context, s *labelled.Server, p provider, n int, question string, history []any) (out output, err error) {
	arguments := map[string]any{
		"user_message": question, "system_prompt": systemPrompt, "messages": history, "format": p.format, "model": p.model,
		"task_type": "system_orchestration", "max_tokens": 16000, "scope": scope,
	}
	if n%3 == 2 {
		arguments["tool_results"] = []any{map[string]any{"tool_call_id": fmt.Sprintf("call-%d", n), "tool": "count_rows",
			"result": map[string]any{"table": fmt.Sprintf("part_%d", n%7), "rows": 1000 * n}}}
	}
	return out, s.Call(ctx, "compile_context", arguments, &out)
}

// request is a request as the simulator takes it.
type request struct {
	T      int     `json:"t"`
	Blocks []block `json:"blocks"`
}

type block struct {
	Hash       string `json:"h"`
	Tokens     int    `json:"n"`
	Kind       string `json:"kind"`
	Breakpoint bool   `json:"bp"`
	End        bool   `json:"end"`
}

// blocks returns the blocks in the order in which a provider renders them.
func (o output) blocks(counter tokens.Counter) (all []block) {
	for _, p := range o.System {
		all = append(all, newBlock(counter, p, "system"))
	}
	for _, m := range o.Messages {
		var parts []part
		if json.Unmarshal(m.Content, &parts) != nil {
			var text string
			_ = json.Unmarshal(m.Content, &text)
			parts = []part{{Type: "text", Text: text}}
		}
		if len(m.ToolCalls) > 0 {
			parts = append(parts, part{Type: "tool_use", Text: string(m.ToolCalls)})
		}
		for _, p := range parts {
			all = append(all, newBlock(counter, p, m.Role))
		}
		if len(parts) > 0 {
			all[len(all)-1].End = true
		}
	}
	return all
}

func newBlock(counter tokens.Counter, p part, role string) block {
	text := p.Text + string(p.Content) + p.Name
	b := block{Hash: text, Tokens: counter.Count(text), Kind: role, Breakpoint: len(p.Cache)+len(p.Breakpoint) > 0}
	if p.Type == "tool_use" || p.Type == "tool_result" {
		b.Kind = p.Type
	}
	return b
}
