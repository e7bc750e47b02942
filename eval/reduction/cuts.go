package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// mostFetch is how many tokens it may cost to get back a fact that was left out.
const mostFetch = 300

// cutAll reduces the beginning of each session to a share of its tokens, at each of its cuts.
func (s *server) cutAll(ctx context.Context, sessions []session, percent int, out string) error {
	var f fetches
	for _, of := range sessions {
		for _, c := range of.Cuts {
			scope := map[string]any{"session": fmt.Sprintf("%s-%d-%d", of.ID, c.Cut, percent)}
			before, r, err := s.reduceTo(ctx, of.Format, of.Messages[:c.Cut], percent, of.Least, scope)
			if err != nil {
				return fmt.Errorf("%s@%d: %w", of.ID, c.Cut, err)
			}
			dir := filepath.Join(out, of.ID, fmt.Sprint(c.Cut))
			kept, err := s.write(ctx, dir, r, scope)
			if err == nil {
				err = writeStats(dir, before, r.TokensAfter)
			}
			if err != nil {
				return err
			}
			facts := make([]string, len(c.Facts))
			for i := range c.Facts {
				facts[i] = c.Facts[i].Text
			}
			if err := f.fetch(ctx, s, r, kept, facts, scope); err != nil {
				return err
			}
		}
	}
	f.report(percent)
	return nil
}

// reduceTo asks how many tokens there are, and then for a share of them, but no less than least. It returns both.
func (s *server) reduceTo(ctx context.Context, f conversation.Format, messages []json.RawMessage, percent, least int, scope map[string]any) (before int, r reduced, err error) {
	arguments := map[string]any{"messages": messages, "scope": scope, "dry_run": true}
	if f != "" {
		arguments["format"] = f
	}
	if err := s.Call(ctx, "reduce_messages", arguments, &r); err != nil {
		return 0, r, err
	}
	before = r.TokensBefore
	delete(arguments, "dry_run")
	arguments["target_tokens"] = max(before*percent/100, least)
	r = reduced{}
	err = s.Call(ctx, "reduce_messages", arguments, &r)
	return before, r, err
}

// writeStats puts down how many tokens there were, and are.
func writeStats(dir string, before, after int) error {
	text, err := json.Marshal(map[string]int{"tokens_before": before, "tokens_after": after})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "stats.json"), text, 0o644)
}

// write writes the files for the scorer, and returns the artifacts by their ids.
func (s *server) write(ctx context.Context, dir string, r reduced, scope map[string]any) (map[string]string, error) {
	if err := os.MkdirAll(filepath.Join(dir, "artifacts"), 0o755); err != nil {
		return nil, err
	}
	lines := append(bytes.Join(asBytes(r.Messages), []byte("\n")), '\n')
	if err := os.WriteFile(filepath.Join(dir, "reduced.jsonl"), lines, 0o644); err != nil {
		return nil, err
	}
	kept := map[string]string{}
	for _, a := range r.Artifacts {
		text, err := s.whole(ctx, a.ID, scope)
		if err != nil {
			return nil, err
		}
		kept[a.ID] = text
		if err := os.WriteFile(filepath.Join(dir, "artifacts", a.ID), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

func asBytes(messages []json.RawMessage) [][]byte {
	all := make([][]byte, len(messages))
	for i, m := range messages {
		all[i] = m
	}
	return all
}

// slice holds the fields that are needed of an answer of get_artifact.
type slice struct {
	Content string
	Tokens  int
	Next    *int64 `json:"next_offset"`
}

func (s *server) whole(ctx context.Context, id string, scope map[string]any) (string, error) {
	var text strings.Builder
	for offset := int64(0); ; {
		var part slice
		err := s.Call(ctx, "get_artifact", map[string]any{"artifact_id": id, "offset": offset, "max_tokens": 1_000_000, "scope": scope}, &part)
		text.WriteString(part.Content)
		if err != nil || part.Next == nil {
			return text.String(), err
		}
		offset = *part.Next
	}
}

// fetches is the cost of getting back the facts that the messages no longer hold.
type fetches struct {
	tokens []int
	missed int
}

// fetch asks for every fact that only an artifact holds, by a pattern, in one call.
func (f *fetches) fetch(ctx context.Context, s *server, r reduced, kept map[string]string, facts []string, scope map[string]any) error {
	said := string(bytes.Join(asBytes(r.Messages), []byte("\n")))
	for _, fact := range facts {
		if quoted, _ := json.Marshal(fact); strings.Contains(said, strings.Trim(string(quoted), `"`)) {
			continue
		}
		for id, text := range kept {
			if !strings.Contains(text, fact) {
				continue
			}
			var part slice
			err := s.Call(ctx, "get_artifact", map[string]any{
				"artifact_id": id, "pattern": regexp.QuoteMeta(fact), "max_tokens": mostFetch, "scope": scope,
			}, &part)
			if err != nil {
				return err
			}
			f.tokens = append(f.tokens, part.Tokens)
			if !strings.Contains(part.Content, fact) {
				f.missed++
			}
			break
		}
	}
	return nil
}

func (f *fetches) report(percent int) {
	slices.Sort(f.tokens)
	n := len(f.tokens)
	if n == 0 {
		return
	}
	log.Printf("at %d %%: %d facts fetched by get_artifact with a pattern: %d tokens in the median, %d at most; %d did not come back within %d tokens",
		percent, n, f.tokens[n/2], f.tokens[n-1], f.missed, mostFetch)
}
