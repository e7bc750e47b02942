package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// The replay: sessions of this many messages, a request for each turn of the assistant, so many seconds apart.
const (
	leastMessages = 180
	mostMessages  = 300
	turnSeconds   = 12
)

// request is a prompt as the cache simulator reads it.
type request struct {
	T      int     `json:"t"`
	Blocks []block `json:"blocks"`
}

type block struct {
	H    string `json:"h"`
	N    int    `json:"n"`
	Kind string `json:"kind"`
	BP   bool   `json:"bp"`
	End  bool   `json:"end"`
}

// replayAll replays whole sessions turn by turn, each message kept as the server returned it, and once more without a limit.
func (s *server) replayAll(ctx context.Context, sessions []session, limit int, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, of := range sessions {
		if len(of.Messages) < leastMessages || len(of.Messages) > mostMessages {
			continue
		}
		for _, most := range []int{0, limit} {
			requests, err := s.replay(ctx, of, most)
			if err != nil {
				return fmt.Errorf("%s: %w", of.ID, err)
			}
			var lines bytes.Buffer
			e := json.NewEncoder(&lines)
			for _, r := range requests {
				if err := e.Encode(r); err != nil {
					return err
				}
			}
			if err := os.WriteFile(filepath.Join(out, fmt.Sprintf("%s.%d.jsonl", of.ID, most)), lines.Bytes(), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// replay returns the requests of one session. A limit of 0 never reduces.
func (s *server) replay(ctx context.Context, of session, limit int) ([]request, error) {
	var all []request
	var sent []json.RawMessage
	var state json.RawMessage
	epochs, over := 0, 0
	for i, m := range of.Messages {
		if roleOf(m) == "assistant" && i > 0 {
			if limit > 0 {
				arguments := map[string]any{
					"messages": sent, "context_limit": limit, "prompt_cache": true, "scope": map[string]any{"session": of.ID},
				}
				if state != nil {
					arguments["state"] = state
				}
				var r reduced
				if err := s.Call(ctx, "reduce_messages", arguments, &r); err != nil {
					return nil, err
				}
				if len(r.Messages) < len(sent) {
					epochs++
				}
				if r.TokensAfter > limit {
					over++
				}
				sent, state = r.Messages, r.State
			}
			all = append(all, request{T: len(all) * turnSeconds, Blocks: blocksOf(sent)})
		}
		sent = append(sent, m)
	}
	if limit > 0 {
		log.Printf("%s: %d requests, %d epochs, %d over the limit", of.ID, len(all), epochs, over)
	}
	return all, nil
}

// turn holds the fields of a message that are rendered.
type turn struct {
	Role    string
	Content any
	Calls   []struct {
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func roleOf(m json.RawMessage) string {
	var t turn
	_ = json.Unmarshal(m, &t) // a message without a role is none of an assistant
	return t.Role
}

// blocksOf renders messages as a provider does: the last block carries a breakpoint, and so does the end of the part that changes seldom.
func blocksOf(messages []json.RawMessage) []block {
	var all []block
	add := func(kind, text string) {
		if text != "" {
			all = append(all, block{H: text, N: (len([]rune(text)) + 3) / 4, Kind: kind})
		}
	}
	var marks []int
	for i, m := range messages {
		var t turn
		_ = json.Unmarshal(m, &t)
		kind := t.Role
		if kind == "tool" {
			kind = "tool_result"
		}
		text, _ := t.Content.(string)
		add(kind, text)
		for _, c := range t.Calls {
			add("tool_use", c.Function.Name+c.Function.Arguments)
		}
		if len(all) > 0 {
			all[len(all)-1].End = true
		}
		if i < 3 || i == len(messages)-1 { // system prompt, task, digest; the end
			marks = append(marks, len(all)-1)
		}
	}
	for _, at := range marks {
		all[at].BP = true
	}
	return all
}
