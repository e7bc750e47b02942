package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// told is a call with all that its answer may speak of.
type told struct {
	name, operation, arguments string
	decided                    ctxmcp.Decision
	undecided, unfit           error
	made                       string // the params that the servers got; "": none did
	review                     string
	lazy, reading              bool // by way of tools that stand for others; the one that only reads
	broken                     bool // the server ended instead of an answer
}

func (c *told) why() string {
	return strings.TrimSuffix(c.decided.Why, ".") + " (rule " + c.decided.Rule + ")."
}

func (c *told) is(v ctxmcp.Verdict) bool { return c.undecided == nil && c.decided.Verdict == v }

// trueText returns a sentence as it stands where it is true of a call, "" where it would be false. Each sentence has a row.
var trueText = map[ctxmcp.Sentence]func(c *told) string{
	saidAmbiguous: func(c *told) string {
		return when(c.name == "twin" && c.made == "", saidAmbiguous, "twin", "p__twin or q__twin")
	},
	saidRefused: func(c *told) string {
		return when(strings.HasSuffix(c.name, "hidden") && c.made == "", saidRefused, c.name, "the configuration denies it (gateway.deny)")
	},
	saidTooLarge: func(c *told) string { return when(len(c.arguments) > 1<<20 && c.made == "", saidTooLarge) },
	saidChanged: func(c *told) string {
		return when(c.is(ctxmcp.Modify) && strings.Contains(c.made, `{"changed":true}`), saidChanged, c.why(), `{"changed":true}`)
	},
	saidDenied: func(c *told) string { return when(c.is(ctxmcp.Deny) && c.made == "", saidDenied, c.why()) },
	saidAskUser: func(c *told) string {
		return when((c.is(ctxmcp.StepUp) || c.is(ctxmcp.Defer)) && c.made == "", saidAskUser, c.why(), c.review)
	},
	saidUnjudged: func(c *told) string {
		return when(c.undecided != nil && c.made == "", saidUnjudged, "the store is full; remove some")
	},
	saidUnjudgedHere: func(c *told) string { return when(c.undecided != nil && c.made == "", saidUnjudgedHere) },
	saidNotKnown: func(c *told) string {
		return when(c.broken, saidNotKnown, `the server "s" gave no answer: the connection has ended; ctx-mcp gateway status shows the servers`)
	},
	saidNotShown: func(c *told) string { return when(c.unfit != nil && c.made != "", saidNotShown) },
	saidNotRead: func(c *told) string {
		return when(c.decided.Verdict != ctxmcp.Allow && c.made == "", saidNotRead, c.why())
	},
	saidNoTool: func(c *told) string {
		return when(c.lazy && (c.operation == "" || c.operation == "twin") && c.made == "", saidNoTool)
	},
	saidCallWrite: func(c *told) string {
		return when(c.reading && (c.operation == "write" || c.operation == "die") && c.made == "", saidCallWrite, c.name)
	},
	saidNotMade: nil, // TestNotSent has it
}

func when(is bool, s ctxmcp.Sentence, values ...string) string {
	if !is {
		return ""
	}
	return s.With(values...)
}

// TestEverySentenceIsTrue makes random calls, and reads each text of their answers: it is the text of the server, or a sentence of the table that holds.
func TestEverySentenceIsTrue(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	result := json.RawMessage(`{"content":[{"type":"text","text":"done"}]}`)
	of := func(tools ...string) Server {
		s := script{Offer: offering(tools...), Results: map[string]json.RawMessage{"tools/call": result, "resources/read": json.RawMessage(`{"contents":[{"uri":"file:///a","text":"done"}]}`)}, Calls: calls}
		s.Offer.Resources = []json.RawMessage{json.RawMessage(`{"uri":"file:///a","name":"a"}`)}
		return s.server(t)
	}
	tool := func(name, more string) string {
		return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}%s}`, name, more)
	}
	twin := of(tool("twin", ""))
	twin.Plain = true
	servers := map[string]Server{"s": of(tool("read", `,"annotations":{"readOnlyHint":true}`), tool("write", ""), tool("hidden", ""), tool("die", "")), "p": twin, "q": twin}
	met := map[ctxmcp.Sentence]int{}
	for _, lazy := range []bool{false, true} {
		r := newRig(t, servers, Options{Lazy: lazy, Deny: []string{"s__hidden", "hidden"}}, `{}`)
		random := rand.New(rand.NewPCG(20, 15))
		for range rounds.Of(150, 1500) {
			c := &told{lazy: lazy, arguments: `{"a":1}`}
			c.play(t, r, random, calls, met)
		}
	}
	for _, s := range sentences() {
		if holds, known := trueText[s]; !known || holds != nil && met[s] == 0 {
			t.Errorf("%q was met %d times: the test proves nothing of it", s, met[s])
		}
	}
}

func (c *told) play(t *testing.T, r *rig, random *rand.Rand, calls string, met map[ctxmcp.Sentence]int) {
	t.Helper()
	c.decided = ctxmcp.Decision{
		Verdict: []ctxmcp.Verdict{ctxmcp.Allow, ctxmcp.Allow, ctxmcp.Modify, ctxmcp.StepUp, ctxmcp.Defer, ctxmcp.Deny}[random.IntN(6)],
		Rule:    []string{"far", "near"}[random.IntN(2)], Why: []string{"it leaves the machine.", "nobody asked for it"}[random.IntN(2)],
	}
	switch random.IntN(8) {
	case 0:
		c.undecided = errors.New("disk full at /secret")
	case 1:
		c.undecided = ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the store is full").WithHint("remove some")
	case 2:
		c.unfit = errors.New("it cannot be read")
	}
	c.operation = []string{"read", "write", "hidden", "twin", "die", "", "resource"}[random.IntN(7)]
	if c.name = "s__" + c.operation; c.operation == "twin" {
		c.name = "twin"
	}
	if random.IntN(20) == 0 {
		c.arguments = `{"a":"` + strings.Repeat("x", 1<<20) + `"}`
	}
	r.guard.mu.Lock()
	r.guard.decide = func(guard.Call) ctxmcp.Decision { return c.decided }
	r.guard.undecided, r.guard.unfit = c.undecided, c.unfit
	r.guard.mu.Unlock()
	_ = os.Remove(calls)
	answer := c.answer(t, r, random)
	made, _ := os.ReadFile(calls) // there is none where nothing was called
	c.made = string(made)
	c.broken = c.operation == "die" && c.made != ""
	r.guard.mu.Lock()
	if n := len(r.guard.calls); n > 0 {
		c.review = "r-" + r.guard.calls[n-1].ID
	}
	r.guard.mu.Unlock()
	for _, text := range answer {
		if text == "done" && c.made != "" && c.unfit == nil {
			continue
		}
		i := slices.IndexFunc(sentences(), func(s ctxmcp.Sentence) bool { return trueText[s] != nil && trueText[s](c) == text })
		if i < 0 {
			t.Fatalf("%s (%s, %v, %v) got %q, which is no sentence of the table that holds; the servers got %q", c.name, c.decided.Verdict, c.undecided, c.unfit, text, c.made)
		}
		met[sentences()[i]]++
	}
}

// answer makes the call, and returns the texts of its answer. Refusals of the protocol, of messages that are wrong, are none.
func (c *told) answer(t *testing.T, r *rig, random *rand.Rand) []string {
	method, params := "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.name, c.arguments)
	switch {
	case c.operation == "resource":
		var list struct{ Resources []struct{ URI string } }
		if err := json.Unmarshal(r.result("resources/list", `{}`), &list); err != nil || len(list.Resources) == 0 {
			t.Fatalf("%d resources, %v", len(list.Resources), err)
		}
		method, params = "resources/read", fmt.Sprintf(`{"uri":%q}`, list.Resources[random.IntN(len(list.Resources))].URI)
	case c.lazy:
		by := "call_write"
		if c.reading = random.IntN(2) == 0; c.reading {
			by = "call_read"
		}
		params = fmt.Sprintf(`{"name":%q,"arguments":{"tool":%q,"arguments":%s}}`, by, c.name, c.arguments)
	}
	m := r.ask(method, params)
	var out struct {
		Content  []struct{ Text string }
		Contents []struct{ Text string }
	}
	if m["error"] != nil {
		if text := nameOf(m["error"], "message"); strings.HasPrefix(text, "ctx-mcp: ") {
			return []string{text}
		}
		return nil
	}
	if err := json.Unmarshal(m["result"], &out); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, part := range append(out.Content, out.Contents...) {
		texts = append(texts, part.Text)
	}
	return texts
}

// TestNotSent: of a call to a server that could not be started again it is said that it was not carried out.
func TestNotSent(t *testing.T) {
	calls, program := filepath.Join(t.TempDir(), "calls"), filepath.Join(t.TempDir(), "program")
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	s := script{Offer: offering(`{"name":"die","inputSchema":{"type":"object"}}`), Calls: calls}.server(t)
	s.Command = program
	r := newRig(t, map[string]Server{"s": s}, Options{}, `{}`)
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"Whether the call was carried out is not known.", "The call was not carried out."} {
		if got := string(r.call("s__die", `{}`)); !strings.Contains(got, want) {
			t.Errorf("call %d: %s, want %q", i+1, got, want)
		}
	}
	if made, err := os.ReadFile(calls); err != nil || strings.Count(string(made), "\n") != 1 {
		t.Errorf("the server got %q, %v, want one call", made, err)
	}
}
