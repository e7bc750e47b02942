package compiler

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// TestRandomWorlds: in a thousand worlds, a compile of the inputs as they are kept has the same bytes, whatever the order of
// the candidates; every candidate has exactly one outcome; the budget is never exceeded; nothing above the clearance, of another
// tenant or against the roles is in any text.
func TestRandomWorlds(t *testing.T) {
	failed := 0
	worlds := rounds.Of(250, 1000)
	for seed := range uint64(worlds) {
		in := randomWorld(rand.New(rand.NewPCG(seed, 42)))
		out, err := Compiler{Counter: tokens.Approximate{}}.Compile(in)
		if ctxmcp.CodeOf(err) == ctxmcp.CodeTooLarge {
			failed++
			continue
		}
		if err != nil {
			t.Fatalf("world %d: %v", seed, err)
		}
		first := marshal(t, out)
		kept, err := ReadInputs(marshal(t, shuffled(in, seed)))
		if err != nil {
			t.Fatalf("world %d: %v", seed, err)
		}
		again, err := Compiler{Counter: tokens.Approximate{}}.Compile(kept)
		if err != nil {
			t.Fatalf("world %d, again: %v", seed, err)
		}
		if second := marshal(t, again); string(first) != string(second) {
			t.Fatalf("world %d compiles to other bytes from its kept inputs:\n%s\n%s", seed, first, second)
		}
		checkFates(t, seed, in, out)
		checkOutput(t, seed, in, out)
	}
	if failed > worlds/2 {
		t.Errorf("in %d of %d worlds the critical content did not fit: they prove too little", failed, worlds)
	}
}

// TestNobodyWaits: a compile looks before every stage whether somebody waits, and makes nothing if not.
func TestNobodyWaits(t *testing.T) {
	in := randomWorld(rand.New(rand.NewPCG(1, 42)))
	canceltest.Law{Bytes: len(stages), Every: 1, After: 2, Work: func(ctx context.Context) error {
		out, err := Compiler{Counter: tokens.Approximate{}, Ended: ctx.Err}.Compile(in)
		if err != nil && out.Tokens+len(out.Zones) > 0 {
			t.Error("a compile that was given up made an output")
		}
		return err
	}}.Check(t)
}

// crowded counts a whole as more than its parts.
type crowded struct{ tokens.Approximate }

func (c crowded) Count(text string) int { return c.Approximate.Count(text) + len(text)*len(text)/20000 }

// TestCountsThatDoNotAddUp: the budget holds by the count of the output, and not by the sum of its parts.
func TestCountsThatDoNotAddUp(t *testing.T) {
	fitted := 0
	for seed := range uint64(100) {
		in := randomWorld(rand.New(rand.NewPCG(seed, 7)))
		in.Request.MaxTokens = 600
		out, err := Compiler{Counter: crowded{}}.Compile(in)
		if ctxmcp.CodeOf(err) == ctxmcp.CodeTooLarge {
			continue
		}
		if err != nil {
			t.Fatalf("world %d: %v", seed, err)
		}
		fitted++
		if out.Tokens > out.Budget {
			t.Errorf("world %d: %d tokens over a budget of %d", seed, out.Tokens, out.Budget)
		}
	}
	if fitted < 50 {
		t.Errorf("%d of 100 worlds fit: they prove too little", fitted)
	}
}

// TestCriticalOverBudget: critical items over the budget are an error that says by how much.
func TestCriticalOverBudget(t *testing.T) {
	in := randomWorld(rand.New(rand.NewPCG(1, 1)))
	in.Candidates, in.Fields = nil, nil
	in.Request.UserMessage, in.Request.SystemPrompt, in.Request.MaxTokens = sentence(rand.New(rand.NewPCG(1, 1)), 200), "", 100
	_, err := Compiler{Counter: tokens.Approximate{}}.Compile(in)
	if ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge || !strings.Contains(err.Error(), "over max_tokens") {
		t.Errorf("Compile = %v, want too_large that says by how much", err)
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func checkFates(t *testing.T, seed uint64, in Inputs, out Output) {
	t.Helper()
	rows := map[string]int{}
	for _, c := range out.Trace.Compiled {
		rows[fmt.Sprint(c.Kind, c.ObjectID, c.Version)]++
	}
	for _, o := range out.Trace.Omitted {
		rows[fmt.Sprint(o.Kind, o.ObjectID, o.Version)]++
		if !slices.Contains(Reasons(), o.Reason) {
			t.Errorf("world %d: %q is no word of the reasons", seed, o.Reason)
		}
	}
	for _, q := range out.Trace.Quarantined {
		rows[fmt.Sprint(q.Kind, q.ObjectID, q.Version)]++
	}
	for _, c := range in.Candidates {
		if n := rows[fmt.Sprint(c.Kind, c.Object.ObjectID, max(c.Object.Version, 1))]; n != 1 {
			t.Errorf("world %d: candidate %s has %d fates", seed, c.Object.ObjectID, n)
		}
	}
	if len(rows) != out.Trace.Retrieval.Retrieved {
		t.Errorf("world %d: %d rows for %d candidates", seed, len(rows), out.Trace.Retrieval.Retrieved)
	}
}

func checkOutput(t *testing.T, seed uint64, in Inputs, out Output) {
	t.Helper()
	if out.Tokens > out.Budget {
		t.Errorf("world %d: %d tokens over a budget of %d", seed, out.Tokens, out.Budget)
	}
	counted := 0
	texts := Texts(out)
	for _, text := range texts {
		counted += tokens.Approximate{}.Count(text)
	}
	if counted > out.Budget {
		t.Errorf("world %d: the texts have %d tokens, over a budget of %d", seed, counted, out.Budget)
	}
	all := strings.Join(texts, "\n")
	for _, c := range in.Candidates {
		o := c.Object
		hidden := o.TenantID != in.Caller.Tenant || o.Classification.Rank() > in.Caller.Clearance.Rank() || !o.PermissionScope.Allows(in.Caller.Roles)
		if c.Kind == KindMemory && hidden && strings.Contains(all, mark(o.ObjectID)) {
			t.Errorf("world %d: %s is in the output, and the caller may not see it", seed, o.ObjectID)
		}
	}
	if n := strings.Count(string(out.System)+string(slices.Concat(out.Messages...)), `"cache_control"`); n > 4 {
		t.Errorf("world %d: %d breakpoints", seed, n)
	}
	for _, l := range out.Lines {
		if l.Block >= len(texts) || l.First < 1 || l.Last < l.First || l.Last > strings.Count(texts[l.Block], "\n")+1 {
			t.Errorf("world %d: line %+v is not in the output", seed, l)
		}
		if l.ObjectID != "" && l.Block < len(texts) && out.Format != Text {
			stretch := strings.Join(strings.Split(texts[l.Block], "\n")[l.First-1:l.Last], "\n")
			if !strings.Contains(stretch, mark(l.ObjectID)) && !strings.Contains(stretch, "reference") && !strings.Contains(stretch, " = ") {
				t.Errorf("world %d: line %+v is not of the object: %q", seed, l, stretch)
			}
		}
	}
}

// mark is a word that stands in the content of the object, and nowhere else.
func mark(id string) string {
	return "mark" + strings.NewReplacer("-", "x", ":", "x").Replace(id) + "e"
}

var vocabulary = strings.Fields("gateway signs every request with key that rotates weekly because audit found stale certificate while " +
	"deploy pipeline waits for review of schema migration and retry budget never exceeds limit set by owner")

func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = vocabulary[r.IntN(len(vocabulary))]
	}
	return strings.Join(words, " ")
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func randomWorld(r *rand.Rand) Inputs {
	in := Inputs{
		Schema: InputsSchema, Instant: instant, Policy: DefaultPolicy(), Counter: tokens.Approximate{}.Name(),
		Caller: Caller{Tenant: "acme", User: "ann", Clearance: pick(r, ctxmcp.Classifications()...), Roles: pick(r, nil, []string{"dev"}, []string{"dev", "ops"})},
		Request: Request{
			UserMessage: sentence(r, 8), SystemPrompt: pick(r, "", sentence(r, 20)), Scope: ctxmcp.Scope{User: "ann", Project: pick(r, "", "a", "b")},
			TaskType: pick(r, append(ctxmcp.TaskTypes(), "")...), MaxTokens: pick(r, 120, 300, 1000, 8000), Format: pick(r, Formats()...),
			Model: pick(r, "", "claude-opus-4-8", "claude-opus-5"), AsOf: instant, Origin: pick(r, "", "shop.example"),
		},
		Fields: pick(r, nil, []Field{{Name: "port"}, {Name: "owner", Value: json.RawMessage(`{"a": 1.0}`)}}),
	}
	in.Request.Query = in.Request.UserMessage
	in.Policy.Rescue.DocumentTokens = 60
	for i := range r.IntN(5) {
		raw, _ := json.Marshal(map[string]string{"role": pick(r, "user", "assistant"), "content": fmt.Sprint("turn ", i, " ", sentence(r, 10))})
		in.Request.Messages = append(in.Request.Messages, raw)
	}
	for i := range r.IntN(40) {
		in.Candidates = append(in.Candidates, randomCandidate(r, i))
	}
	if r.IntN(2) == 0 {
		in.Prefix = &Prefix{Pins: []Pin{}}
	}
	return in
}

func randomCandidate(r *rand.Rand, i int) Candidate {
	id := fmt.Sprintf("o-%d", i)
	day := func() time.Time { return time.Date(2026, time.Month(1+r.IntN(8)), 1+r.IntN(27), 0, 0, 0, 0, time.UTC) }
	o := ctxmcp.ContextObject{
		ObjectID: id, Version: 1 + r.IntN(3), Content: sentence(r, 3+r.IntN(12)) + " " + mark(id), ObjectType: pick(r, ctxmcp.ObjectTypes()...),
		CanonicalEntityIDs: []string{}, SourceOrigin: pick(r, "user://ann", "https://shop.example/", "tool://x"), SourceAuthority: pick(r, 0.5, 0.9),
		ConfidenceScore: pick(r, 0.4, 0.95), Classification: pick(r, ctxmcp.Classifications()...), TenantID: pick(r, "acme", "acme", "acme", "evil"),
		UserID: "ann", ProjectID: pick(r, "", "a", "b"), Layer: pick(r, ctxmcp.UserLayer, ctxmcp.ProjectLayer, ctxmcp.PolicyLayer),
		ValidFrom: day(), TxStart: day(), ContradictionStatus: pick(r, ctxmcp.Clean, ctxmcp.Clean, ctxmcp.Clean, ctxmcp.Disputed, ctxmcp.Quarantined),
		Authority: ctxmcp.Authority(r.IntN(5)), WhyItMatters: pick(r, "", "", sentence(r, 3)), SourceKind: ctxmcp.UserStatement,
		PermissionScope: pick(r, ctxmcp.PermissionScope{}, ctxmcp.PermissionScope{AllowRoles: []string{"dev"}}, ctxmcp.PermissionScope{DenyRoles: []string{"ops"}}),
	}
	o.LastConfirmed = o.TxStart
	if r.IntN(6) == 0 {
		o.ValidUntil = o.ValidFrom.AddDate(0, 2, 0)
	}
	if r.IntN(3) == 0 {
		o.Claim = ctxmcp.Claim{Subject: pick(r, "gateway", "key"), Predicate: "port", Value: pick(r, "1", "2", "3")}
	}
	if o.Authority == ctxmcp.AuthorityRetrieved && r.IntN(2) == 0 {
		o.Domains = []string{pick(r, "shop.example", "news.example")}
	}
	if r.IntN(8) == 0 {
		o.Content = strings.Repeat(sentence(r, 12)+" "+mark(id)+".\n\n", 1+r.IntN(6))
	}
	c := Candidate{Kind: KindMemory, Object: o, Relevance: r.Float64(), Standing: r.IntN(4) == 0, Many: r.IntN(5) == 0}
	switch r.IntN(12) {
	case 0:
		c.Kind, c.CallID, c.Tool = KindToolResult, "call-"+id, "search"
		c.Object.TenantID, c.Object.Classification, c.Object.PermissionScope = "acme", ctxmcp.Public, ctxmcp.PermissionScope{}
		c.Shorter = []Form{{"reference", "reference to " + id}}
	case 1:
		c.Kind = KindDocument
		c.Object.TenantID, c.Object.Classification, c.Object.PermissionScope = "acme", ctxmcp.Public, ctxmcp.PermissionScope{}
	}
	return c
}
