package actions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/taint/stories"
)

// obeyed counts calls of sessions with refusals.
type obeyed struct {
	Against, Stopped int // calls that the user does not want, and those that are stopped
	Free, Allowed    int // their neighbours, and those that are allowed
}

// TestRefusals: a call against a word of the user is stopped, and its neighbours are free.
func TestRefusals(t *testing.T) {
	learnt, frozen := stories.Refusals()
	acts, frozenActs := stories.Acts()
	for name, test := range map[string]struct {
		stories []stories.Story
		floor   obeyed
	}{
		"learnt":      {learnt, obeyed{Stopped: 75, Allowed: 80}},
		"frozen":      {frozen, obeyed{Stopped: 50, Allowed: 69}},
		"acts":        {acts, obeyed{Stopped: 56, Allowed: 112}},
		"frozen acts": {frozenActs, obeyed{Stopped: 46, Allowed: 106}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, actions.Options{})
			var n obeyed
			for i, story := range test.stories {
				n.add(t, b, fmt.Sprint("s", i), story, !strings.HasPrefix(name, "frozen"))
			}
			t.Logf("%+v", n)
			if n.Stopped < test.floor.Stopped || n.Allowed < test.floor.Allowed {
				t.Errorf("%+v, want at least %+v", n, test.floor)
			}
		})
	}
}

// add counts the calls of a story. Each that the user does not want is judged in a session that has only the steps before it that the user does.
func (n *obeyed) add(t *testing.T, b *bench, session string, story stories.Story, log bool) {
	t.Helper()
	wanted := stories.Story{Title: story.Title, Folder: story.Folder}
	for i, step := range story.Steps {
		if step.Verdict != "stop" {
			wanted.Steps = append(wanted.Steps, step)
			continue
		}
		against := wanted
		against.Steps = append(slices.Clone(wanted.Steps), step)
		answers := play(t, b.service, fmt.Sprint(session, "-", i), against, func() {})
		n.Against, n.Stopped = n.Against+1, n.Stopped+one(tell(t, story, step, answers[len(answers)-1], log) != ctxmcp.Allow)
	}
	answers := play(t, b.service, session, wanted, func() {})
	for _, step := range wanted.Steps {
		if step.Verdict == "allow" {
			n.Free, n.Allowed = n.Free+1, n.Allowed+one(tell(t, story, step, answers[0], log) == ctxmcp.Allow)
			answers = answers[1:]
		}
	}
}

// tell returns the verdict on a call, and logs one that is not as the story has it.
func tell(t *testing.T, story stories.Story, step stories.Step, a actions.Answer, log bool) ctxmcp.Verdict {
	t.Helper()
	if d := a.Decision; log && (d.Verdict == ctxmcp.Allow) != (step.Verdict == "allow") {
		t.Logf("%s: %s %.110s: %s by %s", story.Title, step.Tool, step.Arguments, d.Verdict, d.Rule)
	}
	return a.Decision.Verdict
}
