package attack

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Canary is a text that the neighbour keeps, and that nobody else may see.
const Canary = "heliotrope-quartz-lighthouse"

// Neighbour is a tenant that works while another one attacks: it remembers, recalls, and reads its artifact.
type Neighbour struct {
	Client *Client
	Pause  time.Duration // between its calls

	artifact string
	mu       sync.Mutex // guards the rest
	took     []time.Duration
	failed   []string
}

// MoveIn plants the objects that the neighbour reads later. It returns their ids.
func (n *Neighbour) MoveIn(ctx context.Context) ([]string, error) {
	p, err := Plant(ctx, n.Client, 2<<10)
	if err != nil {
		return nil, err
	}
	var kept struct {
		ID string `json:"artifact_id"`
	}
	secret := object{"artifact_type": "note", "content": "the word is " + Canary}
	if err := n.Client.Call(ctx, "put_artifact", secret, &kept); err != nil {
		return nil, err
	}
	n.artifact = kept.ID
	var stored object
	said := object{"content": "The word of the house is " + Canary + ".", "source": object{"kind": "user_statement"}}
	if err := n.Client.Call(ctx, "remember", said, &stored); err != nil {
		return nil, err
	}
	return append(p.all, kept.ID, fmt.Sprint(stored["object_id"])), nil
}

// Live works until ctx is done.
func (n *Neighbour) Live(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		n.step(ctx, i)
		select {
		case <-ctx.Done():
		case <-time.After(n.Pause):
		}
	}
}

// step makes the next call, and checks that the answer is the right one.
func (n *Neighbour) step(ctx context.Context, i int) {
	steps := []struct {
		tool      string
		arguments object
		want      func(object) bool
	}{
		{"recall", object{"query": "what is the word of the house"}, func(out object) bool { return len(list(out["memories"])) > 0 }},
		{"get_artifact", object{"artifact_id": n.artifact}, func(out object) bool { return out["content"] == "the word is "+Canary }},
		{"remember", object{"content": fmt.Sprintf("The light of room %d is off at night.", i), "source": object{"kind": "user_statement"}},
			func(out object) bool { return out["object_id"] != nil }},
	}
	s := steps[i%len(steps)]
	var out object
	began := time.Now()
	err := n.Client.Call(ctx, s.tool, s.arguments, &out)
	took := time.Since(began)
	if ctx.Err() != nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.took = append(n.took, took)
	if err == nil && !s.want(out) {
		err = fmt.Errorf("%s: a wrong answer: %.200v", s.tool, out)
	}
	if err != nil {
		n.failed = append(n.failed, err.Error())
	}
}

func list(v any) []any { l, _ := v.([]any); return l }

// Life is how the neighbour fared.
type Life struct {
	Calls         int
	Median, Worst time.Duration
	P99           time.Duration
	Failed        []string
}

// Life returns how the neighbour fared so far.
func (n *Neighbour) Life() Life {
	n.mu.Lock()
	defer n.mu.Unlock()
	took := slices.Sorted(slices.Values(n.took))
	l := Life{Calls: len(took), Failed: slices.Clone(n.failed)}
	if len(took) > 0 {
		l.Median, l.P99, l.Worst = took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
	}
	return l
}
