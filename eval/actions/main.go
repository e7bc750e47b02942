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
	through := flag.String("through", "", "play through this front too, gateway, hooks or both, and count the decisions that differ from those of record_action")
	rename := flag.Bool("rename", false, "give tools, people and values other names, the same for the same, before all")
	program.Main("eval actions", func(ctx context.Context) error {
		return measure(ctx, plan{*server, *sessions, *results, *out, *sessionsOut, *through, *at, *every, *blind, *rename, *judged})
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
	binary, sessions, results, out, played, through string
	at, every                                       int
	blind, rename, judge                            bool
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
	if p.through != "" {
		return p.compare(ctx, s, dir, sessions, texts)
	}
	runs, err := p.replayAll(sessions, func(one labelled.Session) (run, error) {
		return recorder{client: s, as: func(tool string) (string, string) { return tool, "call" }}.replay(ctx, one, texts)
	})
	if err != nil {
		return err
	}
	return writeRows(p.out, runs)
}

// compare plays the sessions through a front, and by record_action under the names and with the words that the front has, and tells how many
// decisions differ. What the front decided is written for the scorer.
func (p plan) compare(ctx context.Context, s *driver.Client, dir string, sessions []labelled.Session, texts map[string]string) error {
	begin, known := fronts[p.through]
	if !known {
		return fmt.Errorf("there is no front %q", p.through)
	}
	f, err := begin(ctx, p.binary, dir, sessions)
	if err != nil {
		return err
	}
	runs, err := p.replayAll(sessions, func(one labelled.Session) (run, error) { return f.play(ctx, one, texts) })
	if err = errors.Join(err, f.close()); err != nil {
		return err
	}
	r := recorder{client: s, as: f.as, made: true}
	recorded, err := p.replayAll(sessions, func(one labelled.Session) (run, error) {
		if !f.hears {
			one.Request, one.Messages = unheard, nil
		}
		return r.replay(ctx, one, texts)
	})
	if err != nil {
		return err
	}
	all, differ := 0, 0
	for i, r := range runs {
		for n, verdict := range r.Decisions {
			all++
			if !same(verdict, recorded[i].Decisions[n]) {
				differ++
				log.Printf("session %s, action %d: %s through %s (%v), %s by record_action (%v)", r.ID, n, verdict, p.through, r.Flags[n],
					recorded[i].Decisions[n], recorded[i].Flags[n])
			}
		}
	}
	log.Printf("%d of %d decisions through %s differ from those by record_action", differ, all, p.through)
	return writeRows(p.out, runs)
}

// same reports whether two verdicts are one. A front tells what waits for a person, and not which of both words it has.
func same(a, b string) bool {
	waits := func(v string) bool { return v == "step_up" || v == "defer" }
	return a == b || waits(a) && waits(b)
}

// replayAll plays the sessions, several at a time, and returns them in their order.
func (p plan) replayAll(sessions []labelled.Session, play func(labelled.Session) (run, error)) ([]run, error) {
	began := time.Now()
	runs, errs := make([]run, len(sessions)), make([]error, len(sessions))
	next := make(chan int)
	var workers sync.WaitGroup
	for range p.at {
		workers.Go(func() {
			for i := range next {
				runs[i], errs[i] = play(sessions[i])
			}
		})
	}
	for i := range sessions {
		next <- i
	}
	close(next)
	workers.Wait()
	n := 0
	for _, r := range runs {
		n += len(r.Decisions)
	}
	log.Printf("%d actions of %d sessions in %s", n, len(runs), time.Since(began).Round(time.Millisecond))
	return runs, errors.Join(errs...)
}

// recorder plays sessions by record_action and record_result.
type recorder struct {
	client *driver.Client
	as     func(tool string) (name, operation string) // under which a tool is recorded
	made   bool                                       // only calls that are made have a result; else all have, as in the recorded session
}

// replay takes one session through the server.
func (r recorder) replay(ctx context.Context, one labelled.Session, texts map[string]string) (run, error) {
	out := run{ID: one.ID, Flags: [][]string{}, Decisions: []string{}}
	var begun struct {
		ID string `json:"session_id"`
	}
	err := r.client.Call(ctx, "start_session", map[string]any{"original_request": map[string]any{"text": one.Request}}, &begun)
	for i, a := range one.Actions {
		if err != nil {
			break
		}
		var flags []string
		var verdict string
		flags, verdict, err = r.act(ctx, begun.ID, a, one.Said(i), texts[a.Result])
		out.Flags, out.Decisions = append(out.Flags, flags), append(out.Decisions, verdict)
	}
	if err == nil {
		err = r.client.Call(ctx, "end_session", map[string]any{"session_id": begun.ID}, &struct{}{})
	}
	if err != nil {
		return out, fmt.Errorf("session %s: %w", one.ID, err)
	}
	return out, nil
}

// act records an action, and then its result: under any decision, for the recorded agent took the action, unless only calls count that are made.
func (r recorder) act(ctx context.Context, session string, a labelled.Action, said []string, result string) (flags []string, verdict string, err error) {
	tool, operation := r.as(a.Tool)
	arguments := map[string]any{"session_id": session, "tool": tool, "operation": operation, "parameters": a.Args}
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
	if err := r.client.Call(ctx, "record_action", arguments, &answer); err != nil {
		return nil, "", err
	}
	flags = []string{}
	for name, on := range answer.Signals {
		if on {
			flags = append(flags, name)
		}
	}
	verdict = answer.Decision.Verdict
	if verdict != "allow" {
		flags = append(flags, "rule_"+answer.Decision.Rule)
	}
	slices.Sort(flags)
	if r.made && verdict != "allow" && verdict != "modify" {
		return flags, verdict, nil
	}
	return flags, verdict, r.client.Call(ctx, "record_result", map[string]any{
		"session_id": session, "action_id": answer.ID, "result": result, "is_error": failed(a),
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
