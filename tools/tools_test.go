package tools

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/directives"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/schema"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// maxText is where clients cut descriptions and instructions, in bytes.
const maxText = 2048

// TestDefinitions holds every published definition against its golden file, so that the interface cannot change by
// accident.
func TestDefinitions(t *testing.T) {
	for _, tool := range All() {
		t.Run(tool.Name, func(t *testing.T) {
			raw, err := json.Marshal(tool.MCP)
			if err != nil {
				t.Fatal(err)
			}
			golden.WantJSON(t, filepath.Join("testdata", tool.Name+".json"), raw)
		})
	}
}

// TestEveryTool: the laws for all tools.
func TestEveryTool(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range All() {
		if seen[tool.Name] {
			t.Errorf("two tools are named %s", tool.Name)
		}
		seen[tool.Name] = true
		tool.checker() // panics at a schema that does not compile
		a := tool.MCP.Annotations
		if a.ReadOnlyHint == nil || a.DestructiveHint == nil || a.IdempotentHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s leaves an annotation to the library, which claims the worst", tool.Name)
		}
		if *a.ReadOnlyHint && *a.DestructiveHint {
			t.Errorf("%s reads only, and destroys", tool.Name)
		}
		if tool.Harness != strings.HasPrefix(tool.MCP.Description, "For harnesses: ") {
			t.Errorf("%s: whether it is for harnesses is not what its description begins with", tool.Name)
		}
		if tool.MCP.Title == "" || len(tool.MCP.Description) == 0 || len(tool.MCP.Description) > maxText {
			t.Errorf("%s has no title, or no description of at most %d bytes", tool.Name, maxText)
		}
		if !ctxmcp.Known(tool.Toolset, Toolsets()) {
			t.Errorf("%s is in no toolset", tool.Name)
		}
		for _, combinator := range []string{`"oneOf"`, `"anyOf"`, `"allOf"`, `"$ref"`} {
			if strings.Contains(string(tool.MCP.RawInputSchema), combinator) {
				t.Errorf("%s: the input schema has %s, which some clients refuse", tool.Name, combinator)
			}
		}
		if !strings.Contains(string(tool.MCP.RawInputSchema), `"scope"`) {
			t.Errorf("%s takes no scope", tool.Name)
		}
	}
}

// services returns tools over an empty store, for ann.
func services(t *testing.T) *Services {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	store := &inmem.Store{}
	kept, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var count atomic.Int64 // results are wrapped side by side
	s := &Services{
		Artifacts: &artifacts.Service{
			Index: store, Keeper: store, Blobs: kept, Counter: tokens.Approximate{}, Now: now,
			NewID:  func() string { return fmt.Sprintf("%012d", count.Add(1)) },
			Redact: redact.New(nil).Func(),
			Logger: slog.New(slog.DiscardHandler),
		},
		Memory: memory.New(memory.Core{
			Store: store, Counter: tokens.Approximate{}, Now: now, NewID: func() string { return "id" },
			Redact: redact.New(nil).Func(),
			Logger: slog.New(slog.DiscardHandler),
		}),
		Caller: func(context.Context) (ctxmcp.Caller, bool) {
			return ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}, true
		},
		Logger: slog.New(slog.DiscardHandler), Observe: func(string, string, time.Duration) {}, Now: now,
	}
	s.Envelope = &envelope.Service{
		Keeper: s.Artifacts, Ledger: store, Counter: tokens.Approximate{}, Redact: s.Artifacts.Redact, Now: now,
		Key: []byte("key"), Logger: slog.New(slog.DiscardHandler),
	}
	s.Redact = s.Artifacts.Redact
	s.Tasks = &tasks.Service{Store: store, Artifacts: s.Artifacts, Counter: tokens.Approximate{}, Redact: s.Artifacts.Redact, Now: now}
	s.Artifacts.Lineage = s.Tasks
	s.Compiler = &compiler.Service{
		Memory: s.Memory, Tasks: s.Tasks, Results: s.Envelope, Shelf: s.Artifacts, Prefixes: store, Now: now, Redact: s.Artifacts.Redact,
		Counter: func(string) compiler.Counter { return tokens.Approximate{} }, Logger: slog.New(slog.DiscardHandler),
		Packets: &packets.Service{
			Store: store, Blobs: kept, Digests: store, Objects: store, Artifacts: store, Now: now, Redact: s.Artifacts.Redact,
			Personal: s.Artifacts.Redact, Logger: slog.New(slog.DiscardHandler),
		},
	}
	rules, err := preset()
	if err != nil {
		t.Fatal(err)
	}
	s.Actions = &actions.Service{
		Store: store, Decider: rules, Redact: s.Artifacts.Redact, Now: now, Logger: slog.New(slog.DiscardHandler),
		NewID: func() string { return "act" }, Handle: func() string { return "sess" },
		Receipts: &receipts.Service{
			Log: store, Keys: &keyring.Ring{Dir: t.TempDir(), Random: rand.Reader}, Now: now, Logger: slog.New(slog.DiscardHandler),
		},
	}
	return s
}

// preset reads the rules of actions once: a set of rules does not change.
var preset = sync.OnceValues(func() (*policy.Set, error) { return policy.Presets()[1].Load("") })

// provide adds the services that few tests need: packets, directives and reductions.
func (s *Services) provide(t *testing.T) {
	s.Packets = s.Compiler.Packets.(*packets.Service)
	s.Directives = &directives.Service{
		Providers: map[string]directives.Provider{
			"memory": directives.Memory{Service: s.Memory}, "artifact": directives.Artifact{Service: s.Artifacts}, "task": directives.Task{Service: s.Tasks},
			"filesystem": directives.Filesystem{Roots: []string{t.TempDir()}}, "https": directives.Web{}, "off": nil,
		},
		Keeper: s.Artifacts, Sealer: s.Packets, Assembler: directives.Assembler{Counter: tokens.Approximate{}}, Redact: s.Redact, Now: s.Now, Logger: s.Logger,
	}
	s.Reduce = &reduce.Service{Keeper: s.Artifacts, Key: []byte("key"), Models: &tokens.Models{}, Redact: s.Redact, Now: s.Now, Logger: s.Logger}
}

func callTool(t *testing.T, s *Services, name, arguments string) *mcp.CallToolResult {
	t.Helper()
	for _, tool := range All() {
		if tool.Name != name {
			continue
		}
		var request mcp.CallToolRequest
		request.Params.Name, request.Params.RawArguments = name, json.RawMessage(arguments)
		result, err := s.handler(tool)(context.Background(), request)
		if err != nil {
			t.Fatalf("%s returned a Go error, whose text would leak: %v", name, err)
		}
		return result
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

// TestErrorShape: every tool answers every kind of bad argument in the one shape, as structured content and as text.
func TestErrorShape(t *testing.T) {
	s := services(t)
	for _, tool := range All() {
		for _, arguments := range []string{`[]`, `7`, `{"no_such":1}`, `{"scope":{"user":"bob"}}`, `{"scope":"x"}`, `{"scope":{"project":"a b"}}`} {
			result := callTool(t, s, tool.Name, arguments)
			raw, err := json.Marshal(result.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			var body errorBody
			if err := json.Unmarshal(raw, &body); err != nil || !result.IsError || body.Error.Code == "" || body.Error.Message == "" {
				t.Errorf("%s(%s) = %s, want an error in its shape", tool.Name, arguments, raw)
			}
			want := fmt.Sprintf("error %s: %s", body.Error.Code, body.Error.Message)
			if body.Error.Hint != "" {
				want += "\n" + body.Error.Hint
			}
			if text := textOf(result); text != want {
				t.Errorf("%s(%s): the text is %q, want %q", tool.Name, arguments, text, want)
			}
		}
	}
}

// textOf returns the text of a result.
func textOf(result *mcp.CallToolResult) string { return result.Content[0].(mcp.TextContent).Text }

// TestCallerUnknown: without an identity nothing is done.
func TestCallerUnknown(t *testing.T) {
	s := services(t)
	s.Caller = func(context.Context) (ctxmcp.Caller, bool) { return ctxmcp.Caller{}, false }
	if result := callTool(t, s, "recall", `{"query":"x"}`); !result.IsError {
		t.Error("a caller without an identity was answered")
	}
}

// TestInternalErrorIsSilent: the cause of an internal error is for the log.
func TestInternalErrorIsSilent(t *testing.T) {
	var logged strings.Builder
	s := services(t)
	s.Logger = slog.New(slog.NewTextHandler(&logged, nil))
	s.Memory.Store = brokenStore{Store: s.Memory.Store}
	result := callTool(t, s, "recall", `{"query":"something"}`)
	raw, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	if !result.IsError || strings.Contains(string(raw), "disk on fire") {
		t.Errorf("the answer is %s", raw)
	}
	if !strings.Contains(logged.String(), "disk on fire") {
		t.Errorf("the log is %q, want the cause in it", logged.String())
	}
}

// brokenStore fails at every search.
type brokenStore struct{ memory.Store }

func (brokenStore) Search(context.Context, memory.Query, []string, int) (ranking.Found, error) {
	return ranking.Found{}, errors.New("disk on fire")
}

// TestOutputsFitTheirSchemas: clients check results against the published schemas, and refuse what does not fit.
func TestOutputsFitTheirSchemas(t *testing.T) {
	s := services(t)
	for _, c := range []struct{ tool, arguments string }{
		{"remember", `{"content":"We deploy on Thursdays.","source":{"kind":"user_statement"}}`},
		{"remember", `{"content":"short"}`},
		{"recall", `{"query":"when do we deploy"}`},
		{"recall", `{"query":"zebra"}`},
		{"memory_history", `{"object_id":"id"}`},
		{"forget", `{"object_id":"id","reason":"test"}`},
		{"wrap_tool_result", `{"tool_call_id":"c","tool":"t","result":{"a":1}}`},
		{"wrap_tool_result", `{"tool_call_id":"c","tool":"t","result":{"a":1,"b":2},"strategy":"field_whitelist","fields":["a"]}`},
		{"put_artifact", `{"content":"{\"a\":[1,2]}","artifact_type":"numbers","summary":"two"}`},
		{"get_artifact", `{"artifact_id":"numbers_20260101_000000_000000000002","pattern":"a"}`},
		{"get_artifact", `{"artifact_id":"numbers_20260101_000000_000000000002","path":"$.a"}`},
		{"save_task_state", `{"task_id":"t1","artifact_ids":["numbers_20260101_000000_000000000002"],"metadata":{"x":[1]}}`},
		{"get_task_state", `{"task_id":"t1"}`},
		{"declare_fields", `{"task_id":"t1","fields":["a","$.a[1]","b"]}`},
		{"start_session", `{"original_request":{"text":"Answer the mail from Ann"},"tools":[{"name":"read_mail","inputSchema":{}}]}`},
		{"record_action", `{"session_id":"sess","tool":"mail","operation":"read"}`},
		{"record_result", `{"session_id":"sess","action_id":"act","result":{"from":"ann@example.com"}}`},
		{"get_evaluation_context", `{"session_id":"sess"}`},
		{"end_session", `{"session_id":"sess"}`},
	} {
		result := callTool(t, s, c.tool, c.arguments)
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil || result.IsError {
			t.Fatalf("%s(%s) = %s, %v", c.tool, c.arguments, raw, err)
		}
		for _, tool := range All() {
			if tool.Name != c.tool {
				continue
			}
			for _, one := range []json.RawMessage{tool.MCP.RawOutputSchema, tool.Results()} {
				checker, err := schema.NewChecker(one, "field")
				if err != nil {
					t.Fatal(err)
				}
				if err := checker.Check(t.Context(), raw); err != nil {
					t.Errorf("%s(%s) = %s does not fit its schema: %v", c.tool, c.arguments, raw, err)
				}
			}
		}
	}
}
