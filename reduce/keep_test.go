package reduce

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// TestWhatIsNamedIsHeld: an artifact that a conversation names in place of its messages is held against retention, for longer when the conversation
// comes back.
func TestWhatIsNamedIsHeld(t *testing.T) {
	k := newKeeper()
	s := newService(k)
	now := time.Unix(1_000_000, 0)
	s.Now = func() time.Time { return now }
	all := worked(t, 30, 12)
	first := reduced(t, s, Request{Messages: all, Target: 3000})
	for _, a := range first.Artifacts {
		if want := now.Add(holdFor); !k.held[a.ID].Equal(want) {
			t.Errorf("%s is held until %v, want %v", a.ID, k.held[a.ID], want)
		}
	}
	if len(first.Artifacts) == 0 {
		t.Fatal("nothing was moved out")
	}
	now = now.Add(holdFor * 2 / 3)
	reduced(t, s, Request{Messages: first.Messages, State: &first.State, Limit: 100_000})
	if want := now.Add(holdFor); !k.held[first.State.Archives[0]].Equal(want) {
		t.Errorf("it is held until %v, want %v", k.held[first.State.Archives[0]], want)
	}
}

// TestConclusionsBeforeFacts: the conclusions of the agent stand in the digest, in front of facts of results, and the demands of the user in
// front of both, outside of the data.
func TestConclusionsBeforeFacts(t *testing.T) {
	all := worked(t, 40, 12)
	said := []string{
		"The root cause is that the tokenizer drops the last newline.",
		"We decided to keep the table in memory, because a file would be read twice.",
		"Rewriting the lexer by hand did not work and is rejected.",
		"41 of 44 tests pass now; the three about tabs still fail.",
	}
	for i, text := range said {
		turn := raw(t, map[string]any{"role": conversation.Assistant, "content": text}, map[string]any{"role": conversation.User, "content": fmt.Sprintf("Good. Never change version %d of the format.", i)})
		all = slices.Insert(all, 10+i*6, turn...)
	}
	out := reduced(t, newService(newKeeper()), Request{Messages: all, Target: 2500})
	before, data, _ := strings.Cut(out.State.Digest, "[data ")
	agent, facts, _ := strings.Cut(data, digestNames)
	if at := strings.Index(agent, digestLines); at >= 0 {
		agent, facts = agent[:at], agent[at:]+facts
	}
	for i, text := range said {
		if !strings.Contains(agent, text) {
			t.Errorf("the digest does not say before its lines: %s", text)
		}
		if demand := fmt.Sprintf("Never change version %d of the format.", i); !strings.Contains(before, demand) {
			t.Errorf("what the user demanded does not stand in front of the data: %s", demand)
		}
	}
	if !strings.Contains(facts, "parse_30_2") || strings.Contains(agent, "parse_30_2") {
		t.Errorf("the digest has no facts of results behind what was said:\n%s", facts)
	}
}

// TestEightMessagesStay: the last eight messages stay, their long results cut first; and the caller is told when they cannot.
func TestEightMessagesStay(t *testing.T) {
	all := append(worked(t, 40, 12), worked(t, 50, 80)[92:]...)
	out := reduced(t, newService(newKeeper()), Request{Messages: all, Limit: 16_000})
	if n := len(out.Messages) - 3; n < leastLast { // behind the system prompt, the task and the digest
		t.Errorf("%d messages stay, want %d: %v", n, leastLast, out.Warnings)
	}
	if out.After > 16_000 || len(out.Warnings) > 0 {
		t.Errorf("%d tokens, %v", out.After, out.Warnings)
	}
	long := slices.Clone(all[:82])
	for i := range 12 {
		long = append(long, raw(t, map[string]any{"role": "assistant", "content": strings.Repeat(fmt.Sprintf("thought %d ", i), 600)}, map[string]any{"role": "user", "content": "Go on."})...)
	}
	out = reduced(t, newService(newKeeper()), Request{Messages: long, Limit: 12_000})
	if !strings.Contains(strings.Join(out.Warnings, " "), "stay as they are: 8 do not fit") {
		t.Errorf("%d messages, %v: want a warning that eight do not fit", len(out.Messages), out.Warnings)
	}
}

// TestNeverLonger: neither a window nor a target makes a conversation longer than it was.
func TestNeverLonger(t *testing.T) {
	var all []map[string]any
	for i := range 200 {
		all = append(all, map[string]any{"role": "user", "content": fmt.Sprintf("and %d?", i)}, map[string]any{"role": "assistant", "content": fmt.Sprintf("%d it is", i)})
	}
	all = append(all, map[string]any{"role": "user", "content": "thanks"})
	for _, r := range []Request{
		{Messages: raw(t, all...), Limit: 200_000, Window: 40},
		{Messages: raw(t, all[:121]...), Limit: 200_000, Window: 20},
		{Messages: raw(t, all[:3]...), Target: 5},
	} {
		if out := reduced(t, newService(newKeeper()), r); out.After > out.Before {
			t.Errorf("%d messages became %d, %d tokens %d", len(r.Messages), len(out.Messages), out.Before, out.After)
		}
	}
}
