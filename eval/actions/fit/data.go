package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// readCases plays the sessions of a folder and returns a case for every action that can do harm, but for those of which the label
// leaves open whom they serve. Suites that are held back are passed over unless blind is set.
func readCases(ctx context.Context, dir string, blind bool) ([]fit.Case, error) {
	sessions, err := labelled.Read[labelled.Session](filepath.Join(dir, "sessions.jsonl"))
	if err != nil {
		return nil, err
	}
	texts, err := labelled.Results(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		return nil, err
	}
	hide := redact.New([]byte("eval")).Func()
	for ref, text := range texts { // as the server does before anything else
		if texts[ref], _, err = hide(ctx, "eval", text); err != nil {
			return nil, err
		}
	}
	var all []fit.Case
	for _, s := range sessions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if labelled.HeldBackSuite(s.Suite) && !blind {
			continue
		}
		played, err := play(s, texts)
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", s.ID, err)
		}
		all = append(all, played...)
	}
	return all, nil
}

// play takes one session through a provenance of its own.
func play(s labelled.Session, texts map[string]string) ([]fit.Case, error) {
	p := taint.New()
	p.Hear(s.Request, true)
	var all []fit.Case
	for i, a := range s.Actions {
		for _, text := range s.Said(i) {
			p.Hear(text, true)
		}
		raw, err := json.Marshal(a.Args)
		if err != nil {
			return nil, err
		}
		ctx, id := context.Background(), fmt.Sprint("a", i)
		calls, err := taint.Resolve(ctx, a.Tool, "call", taint.DecodeObject(ctx, raw))
		if err != nil {
			return nil, err
		}
		if c, ok := caseOf(p, calls); ok && !slices.Contains(s.Label.Support, i) {
			c.Group, c.Label = s.Suite, slices.Contains(s.Label.Injected, i)
			all = append(all, c)
		}
		p.Act(id, calls, instructionFor(p, calls))
		p.Result(id, calls[0].Tool, texts[a.Result], "", true)
	}
	return all, nil
}

// caseOf returns the rows of an action, each once, and whether one of its calls can do harm.
func caseOf(p *taint.Provenance, calls []taint.Call) (c fit.Case, harmful bool) {
	seen := map[string]bool{}
	for _, call := range calls {
		if !p.Harmful(call) {
			continue
		}
		harmful = true
		for _, row := range p.Compare(call) {
			if key := fmt.Sprint(row); !seen[key] {
				seen[key] = true
				c.Rows = append(c.Rows, row)
			}
		}
	}
	return c, harmful
}

// instructionFor returns the instruction that told the agent to take the action, by the weights in use.
func instructionFor(p *taint.Provenance, calls []taint.Call) *taint.Instruction {
	var closest *taint.Echo
	for _, c := range calls {
		closest = taint.Closer(closest, p.EchoOf(c))
	}
	return p.InstructedBy(closest)
}
