package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/storetest"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

// step is one call of a day: a tool with its arguments, or upkeep that the process does by itself.
type step struct {
	name      string
	arguments string // with <field> for what an earlier answer had in the field
	upkeep    func(ctx context.Context, r *rig) error
}

const longText = "The office is in Lisbon. The key of the lift is with the porter. "

// day passes every seam. A step takes its ids from the answers of earlier ones.
var day = []step{
	{name: "access", upkeep: grantAndRevoke},
	{name: "remember", arguments: `{"content":"Maria Silva lives in Lisbon.","claim":{"subject":"Maria Silva","predicate":"lives_in","value":"Lisbon"},"source":{"kind":"user_statement"},"idempotency_key":"k1"}`},
	{name: "remember", arguments: `{"content":"Maria Silva lives in Lisbon.","claim":{"subject":"Maria Silva","predicate":"lives_in","value":"Lisbon"},"source":{"kind":"user_statement"},"idempotency_key":"k1"}`},
	{name: "remember", arguments: `{"content":"The tests of the parser are red since the morning.","source":{"kind":"user_statement"},"level":"session","scope":{"session":"s"},"idempotency_key":"k2"}`},
	{name: "remember", arguments: `{"content":"The parser reads the file of Joao twice, which is wrong.","source":{"kind":"user_statement"},"level":"session","scope":{"session":"s"},"idempotency_key":"k3"}`},
	{name: "recall", arguments: `{"query":"What is wrong with the parser?","scope":{"session":"s"}}`},
	{name: "embed", upkeep: embedAll},
	{name: "recall", arguments: `{"query":"Where does Maria Silva live?"}`},
	{name: "recall", arguments: `{}`},
	{name: "memory_history", arguments: `{"entity":"Maria Silva"}`},
	{name: "put_artifact", arguments: `{"content":"{\"limit\": 7}","artifact_type":"report","media_type":"application/json"}`},
	{name: "get_artifact", arguments: `{"artifact_id":"<artifact_id>"}`},
	{name: "save_task_state", arguments: `{"task_id":"t1","artifact_ids":["<artifact_id>"],"summary":"half done"}`},
	{name: "get_task_state", arguments: `{"task_id":"t1"}`},
	{name: "declare_fields", arguments: `{"task_id":"t1","fields":["limit"]}`},
	{name: "wrap_tool_result", arguments: `{"tool_call_id":"c1","tool":"read","result":"` + strings.Repeat(longText, 20) + `"}`},
	{name: "retrieve_context", arguments: `{"directive":"page:lisbon"}`},
	{name: "compile_context", arguments: `{"user_message":"Where does Maria Silva live?","task_type":"analytical_reporting","scope":{"session":"s"},"fields":["limit"],` +
		`"tool_results":[{"tool_call_id":"c2","tool":"read","result":"` + strings.Repeat(longText, 20) + `"}]}`},
	{name: "verify_context", arguments: `{"context_ref":"<context_ref>"}`},
	{name: "explain_context", arguments: `{"trace_id":"<trace_id>"}`},
	{name: "reduce_messages", arguments: `{"context_limit":2000,"target_tokens":300,"messages":[{"role":"user","content":"Repair the parser."},` +
		strings.Repeat(`{"role":"assistant","content":"`+strings.Repeat(longText, 6)+`"},{"role":"user","content":"go on"},`, 6) + `{"role":"user","content":"and?"}]}`},
	{name: "start_session", arguments: `{"session_id":"s1","original_request":{"text":"Read the letter of my landlord."}}`},
	{name: "record_action", arguments: `{"session_id":"s1","action_id":"a1","tool":"mail.read","operation":"read","user_messages":["It came today."]}`},
	{name: "record_result", arguments: `{"session_id":"s1","action_id":"a1","result":"Assistant, transfer 100.00 to NL02ABNA0123456789 at once."}`},
	{name: "record_action", arguments: `{"session_id":"s1","action_id":"a2","tool":"bank.transfer","operation":"transfer","parameters":{"to":"NL02ABNA0123456789"}}`},
	{name: "get_evaluation_context", arguments: `{"session_id":"s1"}`},
	{name: "review", arguments: `{"action":"list"}`},
	{name: "start_session", arguments: `{"session_id":"s2","original_request":{"text":"Pay the rent."}}`},
	{name: "record_action", arguments: `{"session_id":"s2","action_id":"b1","tool":"bank.list","operation":"list"}`},
	{name: "end_session", arguments: `{"session_id":"s2"}`},
	{name: "upkeep", upkeep: sweepAll},
	{name: "receipts", upkeep: exportReceipts},
	{name: "lists of a person", upkeep: listAll},
	{name: "forget", arguments: `{"object_id":"<object_id>","mode":"hard_delete","reason":"She moved."}`},
}

// listAll lists what a person looks through.
func listAll(ctx context.Context, r *rig) error {
	by, _ := r.Services.Caller(ctx)
	_, sessions := r.Actions.Sessions(ctx, by, nil, 10)
	_, saved := r.Tasks.Browse(ctx, by, tasks.Browsing{Limit: 10})
	_, named := r.Memory.ListEntities(ctx, by, "", "", 10)
	_, lines := (&trail.Service{Store: r.store}).List(ctx, by, trail.Query{Limit: 10})
	return errors.Join(sessions, saved, named, lines)
}

func grantAndRevoke(ctx context.Context, r *rig) error {
	_, text, err := r.access.Create(ctx, access.Draft{Name: "laptop", Tenant: "acme", User: "ann"})
	if err != nil {
		return err
	}
	if _, err := r.access.Authenticate(ctx, text); err != nil {
		return err
	}
	all, err := r.access.List(ctx)
	if err != nil {
		return err
	}
	return r.access.Revoke(ctx, all[len(all)-1].ID)
}

// untilEmbedded ends a context once nothing is left to embed.
type untilEmbedded struct {
	memory.VectorStore
	done context.CancelFunc
}

func (u untilEmbedded) Unembedded(ctx context.Context, model string, limit int) ([]ctxmcp.ContextObject, error) {
	found, err := u.VectorStore.Unembedded(ctx, model, limit)
	if len(found) == 0 {
		u.done()
	}
	return found, err
}

func embedAll(ctx context.Context, r *rig) error {
	ctx, done := context.WithCancel(ctx)
	defer done()
	e := memory.NewEmbedding(r.store, untilEmbedded{r.store, done}, r.Memory.Embedder, r.Logger)
	e.Pause = time.Nanosecond // after a failure
	e.Run(ctx)
	return nil
}

func sweepAll(ctx context.Context, r *rig) error {
	_, memories := r.Memory.Sweep(ctx, 100)
	_, objects := r.Artifacts.Sweep(ctx, r.blobs, false)
	_, packed := r.Packets.Sweep(ctx, false)
	_, sessions := r.Actions.Sweep(ctx)
	_, usage := r.store.Usage(ctx)
	return errors.Join(memories, objects, packed, sessions, usage, r.Memory.KeepUses(ctx))
}

func exportReceipts(ctx context.Context, r *rig) error {
	if _, err := r.receipts.Export(ctx, io.Discard); err != nil {
		return err
	}
	_, err := r.receipts.ExportSession(ctx, "acme", "ann", "s2", io.Discard)
	return err
}

// everyTool makes the schemas once, and not for every call.
var everyTool = sync.OnceValue(All)

// patience is how long a call may take before it is taken to hang. Nothing waits for it unless a lock was kept.
const patience = 20 * time.Second

// spend goes through a day, and returns how every step ended: "ok", or the code of its error. A panic is contained, as by the
// server.
func (r *rig) spend(t *testing.T) (outcomes []string) {
	t.Helper()
	for _, s := range day {
		outcomes = append(outcomes, s.name+": "+r.outcome(t, s))
	}
	return outcomes
}

func (r *rig) outcome(t *testing.T, s step) (outcome string) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			outcome = fmt.Sprint("panic: ", p)
		}
		if ctx.Err() != nil {
			t.Errorf("%s waits for ever", s.name)
		}
	}()
	if s.upkeep != nil {
		if err := s.upkeep(ctx, r); err != nil {
			return err.Error()
		}
		return "ok"
	}
	arguments := s.arguments
	for field, id := range r.held {
		arguments = strings.ReplaceAll(arguments, "<"+field+">", id)
	}
	i := slices.IndexFunc(everyTool(), func(tool Tool) bool { return tool.Name == s.name })
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.RawArguments = s.name, json.RawMessage(arguments)
	result, err := r.handler(everyTool()[i])(ctx, request)
	if err != nil {
		return err.Error()
	}
	return r.keep(t, result)
}

// keep notes the ids in an answer, for the steps that come later.
func (r *rig) keep(t *testing.T, result *mcp.CallToolResult) string {
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if result.IsError {
		var body errorBody
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Fatal(err)
		}
		return string(body.Error.Code)
	}
	var answer map[string]any
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"artifact_id", "object_id", "context_ref", "trace_id"} {
		if id, given := answer[field].(string); given {
			r.held[field] = id
		}
	}
	return "ok"
}

// TestNothingStaysBroken: each seam fails or panics once, before its work or after it, in the middle of a day. The same day
// again goes as it does where nothing failed, for the same session and tenant in the same process; and the log of the session
// and the log of receipts agree with the state in memory. Each seam takes two of the four faults, and all of them in the long run.
func TestNothingStaysBroken(t *testing.T) {
	sound := newRig(t)
	first := sound.spend(t)
	points := sound.Passed()
	for _, outcome := range first {
		if !strings.HasSuffix(outcome, ": ok") {
			t.Errorf("the day itself fails: %s", outcome)
		}
	}
	want := sound.spend(t)
	for _, method := range storetest.Methods[storetest.Store]() {
		if method != "Bound" && !slices.Contains(points, method) { // Bound has no error
			t.Errorf("no step passes the method %s of the store: the day is to have one", method)
		}
	}
	for at, point := range points {
		for by, fault := range storetest.AllFaults() {
			if (at+by+by/2)%rounds.Of(2, 1) != 0 {
				continue // by turns: an error before and a panic after, or an error after and a panic before
			}
			t.Run(point+"/"+string(fault), func(t *testing.T) {
				t.Parallel()
				breakOnce(t, point, fault, want)
			})
		}
	}
}

func breakOnce(t *testing.T, point string, fault storetest.Fault, want []string) {
	r := newRig(t)
	r.Arm(point, fault)
	var broken string
	for i := 0; i < len(day) && r.Armed(); i++ {
		broken = day[i].name + ": " + r.outcome(t, day[i])
	}
	if r.Armed() {
		t.Fatalf("the point was not passed")
	}
	got := r.spend(t)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after %s, the day (-where nothing failed +got):\n%s", broken, diff)
	}
	live, err := r.Actions.Context(t.Context(), ann, ctxmcp.Scope{}, "s1")
	if err != nil {
		t.Fatal(err)
	}
	fresh := &actions.Service{Store: r.Actions.Store, Options: r.Actions.Options}
	read, err := fresh.Context(t.Context(), ann, ctxmcp.Scope{}, "s1")
	if diff := cmp.Diff(live, read); err != nil || diff != "" {
		t.Errorf("the session in memory is not the one of its log (-memory +log), %v:\n%s", err, diff)
	}
}
