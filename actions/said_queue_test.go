package actions_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
)

// queue is a session of random actions that wait, with all that a decision may speak of.
type queue struct {
	*desk
	*rand.Rand
	t       *testing.T
	ids     []string
	tools   map[string]string
	after   map[string][]string
	roles   map[string][]string
	chosen  map[string]actions.Choice // by a person
	until   map[string]time.Time
	waiting map[string]int // actions that waited when one was recorded
}

// TestEverySentenceOfTheQueueIsTrue plays random sessions of a desk: each decision that is no rule's is a sentence of the table, and true. Those on races,
// on the end of a session and of a model stand in no answer of a desk.
func TestEverySentenceOfTheQueueIsTrue(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(15) {
		q := &queue{desk: newDesk(t), Rand: rand.New(rand.NewPCG(seed, 8)), t: t, tools: map[string]string{}, after: map[string][]string{}, roles: map[string][]string{},
			chosen: map[string]actions.Choice{}, until: map[string]time.Time{}, waiting: map[string]int{}}
		for range 40 {
			q.step(met)
		}
	}
	for name, s := range actions.Ruled {
		if met[name] == 0 && !slices.Contains([]string{"met", "ended", "model"}, name) {
			t.Errorf("no decision says %q: the test proves nothing of it", s)
		}
	}
}

func (q *queue) step(met map[string]int) {
	q.t.Helper()
	switch open := q.open(q.t); q.IntN(6) {
	case 0, 1, 2:
		id := fmt.Sprint("a", len(q.ids))
		q.tools[id] = []string{"ask", "ask", "wait", "never", "dry", "free"}[q.IntN(6)]
		if len(q.ids) > 0 && q.IntN(2) == 0 {
			q.after[id] = []string{q.ids[q.IntN(len(q.ids))]}
		}
		if q.IntN(3) == 0 {
			q.roles[id] = []string{"chief"}
		}
		q.waiting[id] = len(open)
		q.ids = append(q.ids, id)
		q.read(id, ann(q.roles[id]...), met)
	case 3:
		for _, id := range slices.Sorted(maps.Keys(open))[:min(len(open), 1)] {
			choice := []actions.Choice{actions.Approve, actions.Refuse}[q.IntN(2)]
			if _, err := q.Resolve(q.t.Context(), ann(), open[id], choice, "", true); err == nil {
				q.chosen[id] = choice
			}
		}
	case 4:
		if q.now = q.now.Add(time.Minute); q.IntN(4) == 0 {
			q.now = q.now.Add(24 * time.Hour)
		}
	case 5:
		if len(q.ids) > 0 {
			q.read(q.ids[q.IntN(len(q.ids))], ann(), met)
		}
	}
}

// read records an action, for the first time or again, and reads the decision.
func (q *queue) read(id string, by ctxmcp.Caller, met map[string]int) {
	q.t.Helper()
	d := q.record(q.t, by, id, q.tools[id], fmt.Sprintf(`{"n":%q}`, id), q.after[id]...)
	all, err := q.Pending(q.t.Context(), ann(), 0)
	if err != nil {
		q.t.Fatal(err)
	}
	for _, p := range all {
		q.until[p.Action] = p.Until
	}
	if slices.Contains([]string{"ask", "wait", "never", "dry", ctxmcp.DefaultRule}, d.Rule) {
		return
	}
	name, values := readSentence(actions.Ruled, d.Why)
	if name == "" {
		q.t.Errorf("%s: %q is no sentence of the table", id, d.Why)
		return
	}
	met[name]++
	if err := rulings[name](q, id, values, d); err != nil {
		q.t.Errorf("%s by %s: %q: %v", id, d.Rule, d.Why, err)
	}
}

// verdict returns the decision on an action, "" if it still waits.
func (q *queue) verdict(id string) ctxmcp.Verdict {
	i := slices.IndexFunc(q.Must(q.t, "s").ActionHistory, func(e actions.Entry) bool { return e.ID == id })
	if i < 0 || q.open(q.t)[id] != "" {
		return ""
	}
	return q.Must(q.t, "s").ActionHistory[i].Verdict
}

// rulings says of each sentence of the queue whether it is true of the action.
var rulings = map[string]func(q *queue, id string, m []string, d ctxmcp.Decision) error{
	"approved": func(q *queue, id string, m []string, d ctxmcp.Decision) error {
		return unless(m[0] == "ann" && q.chosen[id] == actions.Approve && d.Verdict != ctxmcp.Deny, "the choice was %q", q.chosen[id])
	},
	"refused": func(q *queue, id string, m []string, d ctxmcp.Decision) error {
		return unless(m[0] == "ann" && q.chosen[id] == actions.Refuse && d.Verdict == ctxmcp.Deny, "the choice was %q", q.chosen[id])
	},
	"timeout": func(q *queue, id string, _ []string, d ctxmcp.Decision) error {
		return unless(q.chosen[id] == "" && !q.now.Before(q.until[id]) && d.Verdict == ctxmcp.Deny, "it is %s, and there was time until %s", q.now, q.until[id])
	},
	"roles": func(q *queue, id string, _ []string, d ctxmcp.Decision) error {
		return unless(d.Verdict == ctxmcp.Deny && len(q.roles[id]) > 0, "it was submitted with %q", q.roles[id])
	},
	"denied": func(q *queue, id string, m []string, d ctxmcp.Decision) error {
		return unless(d.Verdict == ctxmcp.Deny && slices.Contains(q.after[id], m[0]) && q.verdict(m[0]) == ctxmcp.Deny, "it comes after %q, of which became %q", q.after[id], q.verdict(m[0]))
	},
	"waits": func(q *queue, id string, m []string, d ctxmcp.Decision) error {
		return unless(d.Verdict == ctxmcp.Defer && slices.Contains(q.after[id], m[0]) && q.open(q.t)[m[0]] != "", "it comes after %q", q.after[id])
	},
	"too many": func(q *queue, id string, m []string, d ctxmcp.Decision) error {
		return unless(d.Verdict == ctxmcp.Deny && number(m[0]) == q.waiting[id], "%d waited", q.waiting[id])
	},
}
