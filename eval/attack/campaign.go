package attack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Campaign attacks a server as one tenant while another goes on with its work.
type Campaign struct {
	Server   *Server
	Attacker *Client
	Token    string // of the attacker, for /metrics
	Maker    *Maker
	Count    int           // calls of each target
	Workers  int           // calls at a time
	Longest  time.Duration // a call may take; 0: any time
	Replant  int           // calls of a target after which the objects are planted anew
	Canary   string        // a text of the other tenant
	Log      func(format string, a ...any)

	mu       sync.Mutex // guards the fields below
	planted  *Planted
	others   []string // ids of the other tenant
	outcomes map[string]map[string]int
	slow     []Timed
	problems []Problem
}

// Timed is a call, and how long it took.
type Timed struct {
	Call Call
	Took time.Duration
}

// Problem is something that no call may cause, with the call.
type Problem struct {
	Call
	Problem   string `json:"problem"`
	Took      string `json:"took,omitempty"`
	Arguments string `json:"message,omitempty"` // the beginning of the message
}

// String returns the problem as one line of JSON, which Replay takes.
func (p Problem) String() string {
	text, err := json.Marshal(p)
	if err != nil { // it holds strings and numbers
		panic(err)
	}
	return string(text)
}

// Problems returns the problems found so far.
func (c *Campaign) Problems() []Problem {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Problem(nil), c.problems...)
}

// Outcomes returns how the calls of each target were answered.
func (c *Campaign) Outcomes() map[string]map[string]int { return c.outcomes }

// Slowest returns the calls that took longest, the slowest first.
func (c *Campaign) Slowest() []Timed { return c.slow }

// Prepare plants the objects of the calls. others are ids of the other tenant.
func (c *Campaign) Prepare(ctx context.Context, others []string) error {
	c.others, c.outcomes = others, map[string]map[string]int{}
	p, err := Plant(ctx, c.Attacker, min(c.Maker.Max, 2<<20))
	if err != nil {
		return err
	}
	c.plant(p)
	return nil
}

func (c *Campaign) plant(p *Planted) {
	p.Neighbour = c.others
	c.mu.Lock()
	defer c.mu.Unlock()
	c.planted = p
}

// Run makes Count calls of each target, and returns an error if the server has ended or ctx is done.
func (c *Campaign) Run(ctx context.Context) error {
	for _, t := range c.Maker.Targets {
		began := time.Now()
		if err := c.runTarget(ctx, t); err != nil {
			return err
		}
		c.Log("%-26s %6d calls in %6.1f s: %v", t.Name, c.Count, time.Since(began).Seconds(), c.outcomes[t.Name])
	}
	return nil
}

func (c *Campaign) runTarget(ctx context.Context, t Target) error {
	for first := 0; first < c.Count; first += c.Replant {
		if first > 0 {
			c.replant(ctx)
		}
		if err := c.runCalls(ctx, t, first, min(first+c.Replant, c.Count)); err != nil {
			return err
		}
	}
	return nil
}

// replant brings back the objects that calls have ended, forgotten and changed. A server that is full keeps those it has.
func (c *Campaign) replant(ctx context.Context) {
	p, err := Plant(ctx, c.Attacker, min(c.Maker.Max, 2<<10))
	if err != nil {
		c.Log("not planted anew: %v", err)
		return
	}
	c.mu.Lock()
	p.ids["artifact"] = append([]string(nil), c.planted.ids["artifact"]...) // they stay: they are the large part
	c.mu.Unlock()
	c.plant(p)
}

func (c *Campaign) runCalls(ctx context.Context, t Target, first, end int) error {
	numbers := make(chan int)
	var all sync.WaitGroup
	for range c.Workers {
		all.Go(func() {
			for n := range numbers {
				c.try(ctx, Call{Seed: c.Maker.Seed, Target: t.Name, N: n, Max: c.Maker.Max})
			}
		})
	}
	for n := first; n < end && ctx.Err() == nil && !c.Server.Ended(); n++ {
		numbers <- n
	}
	close(numbers)
	all.Wait()
	if c.Server.Ended() {
		return errors.New("the server ended")
	}
	return ctx.Err()
}

// try makes a call and judges the answer.
func (c *Campaign) try(ctx context.Context, call Call) {
	body, err := c.body(call)
	if err != nil {
		c.found(Problem{Call: call, Problem: err.Error()})
		return
	}
	faults := len(c.Server.Faults())
	answer, err := c.Attacker.Send(ctx, body)
	outcome, problem := "no answer", ""
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		problem = "no answer: " + err.Error()
	default:
		outcome, problem = Judge(answer, c.Canary)
	}
	if problem == "" && c.Longest > 0 && answer.Took > c.Longest {
		problem = "too slow"
	}
	if now := c.Server.Faults(); problem == "" && len(now) > faults {
		problem = "the log says, of this call or another at the time: " + strings.Join(now[faults:], "; ")
	}
	c.count(call, outcome, answer.Took)
	if problem != "" {
		c.found(Problem{Call: call, Problem: clip(problem, 1000), Took: answer.Took.Round(time.Millisecond).String(), Arguments: clip(strings.ToValidUTF8(string(body), "?"), 600)})
	}
}

func (c *Campaign) body(call Call) ([]byte, error) {
	c.mu.Lock()
	planted := c.planted
	c.mu.Unlock()
	return c.Maker.Body(call, planted)
}

// slowest is how many of the slowest calls are kept.
const slowest = 40

func (c *Campaign) count(call Call, outcome string, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.outcomes[call.Target] == nil {
		c.outcomes[call.Target] = map[string]int{}
	}
	c.outcomes[call.Target][outcome]++
	at := len(c.slow)
	for at > 0 && c.slow[at-1].Took < took {
		at--
	}
	if at < slowest {
		c.slow = append(c.slow[:at], append([]Timed{{call, took}}, c.slow[at:]...)...)
		c.slow = c.slow[:min(len(c.slow), slowest)]
	}
}

func (c *Campaign) found(p Problem) {
	c.mu.Lock()
	c.problems = append(c.problems, p)
	c.mu.Unlock()
	c.Log("PROBLEM %s", p)
}

// Replay makes the call of a line that a campaign printed, once more.
func (c *Campaign) Replay(ctx context.Context, line string) error {
	var p Problem
	if err := json.Unmarshal([]byte(line), &p); err != nil {
		return fmt.Errorf("read the call: %w", err)
	}
	c.try(ctx, p.Call)
	return nil
}
