// Command actions measures how well actions are judged: it replays labelled sessions of agents through a real ctx-mcp server
// over MCP, action by action, and writes the signals and decisions for the scorer. The server is given the request, the
// later texts of the user, each call before it is made, and then its result; nothing else of the data.
//
// The data stays outside the repository.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/driver"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	server := flag.String("server", "bin/ctx-mcp", "the server's binary")
	sessions := flag.String("sessions", "", "sessions, JSON Lines")
	results := flag.String("results", "", "results of their actions, JSON Lines")
	out := flag.String("out", "", "file for the signals and decisions")
	at := flag.Int("at", 8, "sessions at a time")
	sessionsOut := flag.String("played", "", "file for the sessions that are played, with the kind of each, for the scorer")
	blind := flag.Bool("blind", false, "play the suites that are held back, and no others")
	every := flag.Int("every", 1, "play every so manieth session")
	judged := flag.Bool("judge", false, "switch policy.judge on, with an endpoint that answers as a reader would who knows the labels")
	rename := flag.Bool("rename", false, "give tools, people and values other names, the same for the same, before all")
	program.Main("eval actions", func(ctx context.Context) error {
		return measure(ctx, plan{*server, *sessions, *results, *out, *sessionsOut, *at, *every, *blind, *rename, *judged})
	})
}

// run is a session as the scorer reads it.
type run struct {
	ID        string     `json:"session_id"`
	Flags     [][]string `json:"flags"`
	Decisions []string   `json:"decisions"`
}

// plan says what is played, and where to.
type plan struct {
	binary, sessions, results, out, played string
	at, every                              int
	blind, rename, judge                   bool
}

func measure(ctx context.Context, p plan) error {
	sessions, err := p.choose()
	if err != nil {
		return err
	}
	texts, err := labelled.Results(p.results)
	if err != nil {
		return err
	}
	if p.rename {
		renameAll(sessions, texts)
	}
	dir, err := os.MkdirTemp("", "ctx-mcp-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	env := []string{"CTX_MCP_TOOLSETS=actions", "CTX_MCP_CALLER=harness"}
	if p.judge {
		r := readerOf(sessions)
		base, stop, err := r.listen()
		if err != nil {
			return err
		}
		defer stop()
		defer func() { log.Printf("the reader was asked %d times, and allowed %d", r.asked, r.allowed) }()
		env = append(env, "CTX_MCP_POLICY_JUDGE=on", "CTX_MCP_CHAT_BASE_URL="+base, "CTX_MCP_CHAT_MODEL=reader")
	}
	s, err := driver.Stdio(ctx, p.binary, dir, env...)
	if err != nil {
		return err
	}
	defer s.Close()
	began := time.Now()
	runs, err := replayAll(ctx, s, sessions, texts, p.at)
	if err != nil {
		return err
	}
	n := 0
	for _, r := range runs {
		n += len(r.Decisions)
	}
	log.Printf("%d actions of %d sessions in %s", n, len(runs), time.Since(began).Round(time.Millisecond))
	return writeRows(p.out, runs)
}

// replayAll replays the sessions, several at a time, and returns them in their order.
func replayAll(ctx context.Context, s *driver.Client, sessions []labelled.Session, texts map[string]string, at int) ([]run, error) {
	runs, errs := make([]run, len(sessions)), make([]error, len(sessions))
	next := make(chan int)
	var workers sync.WaitGroup
	for range at {
		workers.Go(func() {
			for i := range next {
				runs[i], errs[i] = replay(ctx, s, sessions[i], texts)
			}
		})
	}
	for i := range sessions {
		next <- i
	}
	close(next)
	workers.Wait()
	return runs, errors.Join(errs...)
}

// replay takes one labelled.Session through the server.
func replay(ctx context.Context, s *driver.Client, one labelled.Session, texts map[string]string) (run, error) {
	r := run{ID: one.ID, Flags: [][]string{}, Decisions: []string{}}
	var begun struct {
		ID string `json:"session_id"`
	}
	err := s.Call(ctx, "start_session", map[string]any{"original_request": map[string]any{"text": one.Request}}, &begun)
	for i, a := range one.Actions {
		if err != nil {
			break
		}
		var flags []string
		var verdict string
		flags, verdict, err = act(ctx, s, begun.ID, a, one.Said(i), texts[a.Result])
		r.Flags, r.Decisions = append(r.Flags, flags), append(r.Decisions, verdict)
	}
	if err == nil {
		err = s.Call(ctx, "end_session", map[string]any{"session_id": begun.ID}, &struct{}{})
	}
	if err != nil {
		return r, fmt.Errorf("session %s: %w", one.ID, err)
	}
	return r, nil
}

// act records an action, and then its result under any decision: the recorded agent took the action.
func act(ctx context.Context, s *driver.Client, session string, a labelled.Action, said []string, result string) (flags []string, verdict string, err error) {
	arguments := map[string]any{"session_id": session, "tool": a.Tool, "operation": "call", "parameters": a.Args}
	if len(said) > 0 {
		arguments["user_messages"] = said
	}
	var answer struct {
		ID       string `json:"action_id"`
		Decision struct {
			Verdict string `json:"verdict"`
			Rule    string `json:"rule"`
		} `json:"decision"`
		Signals map[string]bool `json:"risk_signals"`
	}
	if err := s.Call(ctx, "record_action", arguments, &answer); err != nil {
		return nil, "", err
	}
	flags = []string{}
	for name, on := range answer.Signals {
		if on {
			flags = append(flags, name)
		}
	}
	if answer.Decision.Verdict != "allow" {
		flags = append(flags, "rule_"+answer.Decision.Rule)
	}
	slices.Sort(flags)
	failed := a.Error != nil && a.Error != "" && a.Error != false
	return flags, answer.Decision.Verdict, s.Call(ctx, "record_result", map[string]any{
		"session_id": session, "action_id": answer.ID, "result": result, "is_error": failed,
	}, &struct{}{})
}

func writeRows[T any](path string, rows []T) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	for _, r := range rows {
		if err := e.Encode(r); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}
