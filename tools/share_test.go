package tools

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/uuid"

	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/storetest"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Budgets of a model's context, in tokens by o200k_base.
const (
	mostDefined = 4500 // all definitions with the instructions
	mostOfAgent = 1600 // those of the profile of agents
)

// typical are the calls by which replies are weighed, in their order. A %s stands for the id that the reply named by "of" gave.
var typical = []struct {
	tool, arguments string
	of, field       string
}{
	{tool: "remember", arguments: `{"content":"We deploy on Thursdays.","object_type":"project_decision","source":{"kind":"user_statement"}}`},
	{tool: "recall", arguments: `{"query":"when do we deploy"}`},
	{tool: "memory_history", arguments: `{"object_id":"%s"}`, of: "remember", field: "object_id"},
	{tool: "forget", arguments: `{"object_id":"%s","reason":"no longer so"}`, of: "remember", field: "object_id"},
	{tool: "review", arguments: `{}`},
	{tool: "put_artifact", arguments: `{"content":"{\"amounts\":[12.5,30,7.25],\"currency\":\"EUR\",\"customer\":\"Ann Keller\"}","artifact_type":"invoice","summary":"three amounts"}`},
	{tool: "get_artifact", arguments: `{"artifact_id":"%s","path":"$.amounts"}`, of: "put_artifact", field: "artifact_id"},
	{tool: "save_task_state", arguments: `{"task_id":"refund","artifact_ids":["%s"],"metadata":{"step":"checked"}}`, of: "put_artifact", field: "artifact_id"},
	{tool: "get_task_state", arguments: `{"task_id":"refund"}`},
	{tool: "declare_fields", arguments: `{"task_id":"refund","fields":["amounts","currency","customer"]}`},
	{tool: "wrap_tool_result", arguments: `{"tool_call_id":"call_1","tool":"search_orders","result":[{"id":4711,"total":12.5,"state":"paid"},{"id":4712,"total":30,"state":"open"}]}`},
	{tool: "compile_context", arguments: `{"user_message":"When do we deploy?","system_prompt":"You are a release manager."}`},
	{tool: "explain_context", arguments: `{"trace_id":"%s","line":"release manager"}`, of: "compile_context", field: "trace_id"},
	{tool: "verify_context", arguments: `{"context_ref":"%s"}`, of: "compile_context", field: "context_ref"},
	{tool: "retrieve_context", arguments: `{"directive":"artifact:%s"}`, of: "put_artifact", field: "artifact_id"},
	{tool: "reduce_messages", arguments: `{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hello, what can I do?"}],"context_limit":8000}`},
	{tool: "start_session", arguments: `{"original_request":{"text":"Answer the mail from Ann"},"session_id":"s1"}`},
	{tool: "record_action", arguments: `{"session_id":"s1","tool":"mail","operation":"read","parameters":{"folder":"inbox"}}`},
	{tool: "record_result", arguments: `{"session_id":"s1","action_id":"%s","result":{"from":"ann@example.com","subject":"Offer"}}`, of: "record_action", field: "action_id"},
	{tool: "get_evaluation_context", arguments: `{"session_id":"s1"}`},
	{tool: "end_session", arguments: `{"session_id":"s1"}`},
}

// numberedIDs returns ids that look like those of a server, the same in every run.
func numberedIDs() func() string {
	n := 0
	return func() string {
		n++
		digest := sha256.Sum256(fmt.Append(nil, n))
		return uuid.UUID(digest[:16]).String()
	}
}

// weigher plays calls and weighs their replies.
type weigher struct {
	*testing.T
	services *Services
	replies  map[string]map[string]any // the structures of the last ones, by tool
}

func newWeigher(t *testing.T) *weigher {
	s := services(t)
	s.Memory.NewID, s.Actions.NewID = numberedIDs(), numberedIDs()
	s.Compiler.Keeper = s.Artifacts
	s.provide(t)
	s.Actions.Receipts.(*receipts.Service).Keys = faultyKeys{Faults: &storetest.Faults{}, private: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	return &weigher{t, s, map[string]map[string]any{}}
}

// call returns the tokens of the text and of the structure of a reply.
func (w *weigher) call(tool, arguments string) (text, structure int) {
	w.Helper()
	said, raw, err := w.services.Call(w.Context(), tool, json.RawMessage(arguments))
	if err != nil {
		w.Fatalf("%s(%s): %v", tool, arguments, err)
	}
	reply := map[string]any{}
	if err := json.Unmarshal(raw, &reply); err != nil {
		w.Fatal(err)
	}
	w.replies[tool] = reply
	if testing.Verbose() {
		w.Logf("%s\n%s\n%s", tool, said, raw)
	}
	return tokens.O200k().Count(said), tokens.O200k().Count(string(raw))
}

// TestShare holds what every definition and the typical reply of every tool take of a model's context, so that none grows unseen.
func TestShare(t *testing.T) {
	counter, w := tokens.O200k(), newWeigher(t)
	replies := map[string][2]int{}
	for _, c := range typical {
		arguments := c.arguments
		if c.of != "" {
			arguments = fmt.Sprintf(arguments, w.replies[c.of][c.field])
		}
		text, structure := w.call(c.tool, arguments)
		replies[c.tool] = [2]int{text, structure}
	}
	var table bytes.Buffer
	out := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "definition\tfor an agent\ttext\tstructure\t")
	definition := func(name string, o Options) (n int) {
		for _, tool := range Select(o) {
			if tool.Name == name {
				n = counter.Count(string(marshal(t, tool.MCP)))
			}
		}
		return n
	}
	var sums [2]int
	dash := func(n int) string { return strings.Replace(fmt.Sprint(n), "0", "-", map[bool]int{true: 1}[n == 0]) }
	for _, tool := range Select(Options{}) {
		whole, short := definition(tool.Name, Options{}), definition(tool.Name, Options{Toolsets: []Toolset{AgentProfile}})
		sums[0], sums[1] = sums[0]+whole, sums[1]+short
		reply := replies[tool.Name]
		fmt.Fprintf(out, "%d\t%s\t%s\t%s\t  %s\n", whole, dash(short), dash(reply[0]), dash(reply[1]), tool.Name)
	}
	for i, o := range []Options{{}, {Toolsets: []Toolset{AgentProfile}}} {
		n := counter.Count(Instructions(o))
		sums[i] += n
		fmt.Fprintf(out, "%s\t  instructions\n", []string{fmt.Sprintf("%d\t\t\t", n), fmt.Sprintf("\t%d\t\t", n)}[i])
	}
	fmt.Fprintf(out, "%d\t%d\t\t\t  sum\n", sums[0], sums[1])
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	golden.Want(t, "testdata/share.txt", "Tokens by "+counter.Name()+": of each definition, and of the text and the structure of a typical reply.\n\n"+table.String())
	if sums[0] > mostDefined || sums[1] > mostOfAgent {
		t.Errorf("the definitions take %d tokens, those of agents %d; want at most %d and %d", sums[0], sums[1], mostDefined, mostOfAgent)
	}
}

// TestReplies: a reply costs little more than what it brings.
func TestReplies(t *testing.T) {
	w := newWeigher(t)
	for i := range 60 {
		w.call("remember", fmt.Sprintf(`{"content":"Service delta-%d deploys on port 80%02d every night.","source":{"kind":"user_statement"}}`, i, i))
	}
	if text, structure := w.call("recall", `{"query":"on which port does a service deploy"}`); text > 300 {
		t.Errorf("recall of ten short memories takes %d tokens, its structure %d; want at most 300", text, structure)
	} else {
		t.Logf("recall of ten: %d and %d tokens", text, structure)
	}
	w.call("put_artifact", `{"content":"{\"amounts\":[12.5,30,7.25],\"currency\":\"EUR\",\"customer\":\"Ann Keller, 7 Harbour Road, Bristol\"}","artifact_type":"invoice"}`)
	w.call("save_task_state", fmt.Sprintf(`{"task_id":"refund","artifact_ids":[%q]}`, w.replies["put_artifact"]["artifact_id"]))
	text, structure := w.call("declare_fields", `{"task_id":"refund","fields":["amounts","currency","customer"]}`)
	values := tokens.O200k().Count(`{"amounts":[12.5,30,7.25],"currency":"EUR","customer":"Ann Keller, 7 Harbour Road, Bristol"}`)
	if text > 2*values {
		t.Errorf("declare_fields of %d tokens of values takes %d as text", values, text)
	}
	t.Logf("declare_fields of %d: %d and %d tokens", values, text, structure)

	text, structure = w.call("compile_context", `{"user_message":"On which port does service delta-7 deploy?","system_prompt":"You are an operator."}`)
	messages := tokens.O200k().Count(string(marshal(t, w.replies["compile_context"]["messages"])))
	if text > messages+120 || structure > messages+120 {
		t.Errorf("compile_context of %d tokens of messages takes %d as text and %d as structure", messages, text, structure)
	}
	t.Logf("compile_context of %d: %d and %d tokens", messages, text, structure)
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
