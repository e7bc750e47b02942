package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// keep puts the artifacts and saves the tasks of the tests, and returns the ids of the artifacts.
func keep(t *testing.T, s *Services) (agreement, inSession, ofTask string) {
	t.Helper()
	put := func(arguments string) string {
		result := callTool(t, s, "put_artifact", arguments)
		var out struct {
			ID string `json:"artifact_id"`
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err := cmp.Or(err, json.Unmarshal(raw, &out)); err != nil || out.ID == "" {
			t.Fatalf("put_artifact(%s) = %s, %v", arguments, raw, err)
		}
		return out.ID
	}
	agreement = put(`{"artifact_type":"contract","content":"rent: 900","summary":"Tenancy agreement for 7 Harbour Road, signed"}`)
	put(`{"artifact_type":"list","content":"eggs","summary":"Shopping list for the weekend"}`)
	put(`{"artifact_type":"list","content":"no summary of the tenancy agreement"}`)
	inSession = put(`{"artifact_type":"report","content":"x","summary":"Survey of beetles","scope":{"session":"s1"}}`)
	ofTask = put(`{"artifact_type":"report","content":"y","summary":"Survey of orchids","task_id":"garden"}`)
	for _, arguments := range []string{
		`{"task_id":"move","summary":"Ask three removal firms about the new flat"}`,
		`{"task_id":"paint","summary":"Paint the walls of the new flat","metadata":{"status":"done"}}`,
		`{"task_id":"tax","summary":"Send the tax return"}`,
	} {
		if result := callTool(t, s, "save_task_state", arguments); result.IsError {
			t.Fatal(textOf(result))
		}
	}
	return agreement, inSession, ofTask
}

// TestRecallNamesWhatIsKept: an answer names the artifacts and open tasks whose summaries speak of the question, in lines and in structure, and
// nothing where none does.
func TestRecallNamesWhatIsKept(t *testing.T) {
	s := services(t)
	agreement, _, _ := keep(t, s)
	for _, tt := range []struct{ arguments, want string }{
		{`{"query":"the tenancy agreement we stored"}`, "artifact contract, 9 bytes, 2026-01-01, get_artifact artifact_id=" + agreement + ": Tenancy agreement for 7 Harbour Road, signed"},
		{`{"query":"what was I going to do about the new flat?"}`, "task saved 2026-01-01, get_task_state task_id=move: Ask three removal firms about the new flat"},
		{`{"query":"shopping list"}`, "Shopping list for the weekend"},
		{`{"query":"Which football team do I support?"}`, ""},
		{`{"query":"the agreement of the unions in France"}`, ""},
		{`{"query":"tenancy agreement","order":"newest"}`, ""},
		{`{"query":"tenancy agreement","as_of":"2025-01-01T00:00:00Z"}`, ""},
		{`{"query":"tenancy agreement","prefix":"user_ann:*"}`, ""},
		{`{"query":"tenancy agreement","max_tokens":12}`, ""},
		{`{}`, ""},
	} {
		result := callTool(t, s, "recall", tt.arguments)
		named := keptIn(t, result.StructuredContent)
		text := textOf(result)
		if tt.want == "" && (len(named) > 0 || strings.Contains(text, "get_artifact") || strings.Contains(text, "get_task_state")) {
			t.Errorf("recall(%s) names %v: %s", tt.arguments, named, text)
		}
		if tt.want != "" && (len(named) == 0 || !strings.Contains(text, tt.want)) {
			t.Errorf("recall(%s) names %v and not %q: %s", tt.arguments, named, tt.want, text)
		}
		for _, id := range named {
			tool, arguments := "get_artifact", fmt.Sprintf(`{"artifact_id":%q}`, id)
			if !strings.Contains(id, "_2026") {
				tool, arguments = "get_task_state", fmt.Sprintf(`{"task_id":%q}`, id)
			}
			if got := callTool(t, s, tool, arguments); got.IsError {
				t.Errorf("recall(%s) names %s, which %s does not find: %s", tt.arguments, id, tool, textOf(got))
			}
		}
	}
}

// keptIn returns the ids that the structure of an answer names beside memories.
func keptIn(t *testing.T, structure any) (ids []string) {
	t.Helper()
	raw, err := json.Marshal(structure)
	var out struct {
		Kept []struct{ ID string } `json:"kept"`
	}
	if err := cmp.Or(err, json.Unmarshal(raw, &out)); err != nil {
		t.Fatal(err)
	}
	for _, k := range out.Kept {
		ids = append(ids, k.ID)
	}
	return ids
}

// TestRecallNamesOnlyWhatCanBeRead: an artifact is named from where get_artifact reads it, and from nowhere else.
func TestRecallNamesOnlyWhatCanBeRead(t *testing.T) {
	s := services(t)
	_, inSession, ofTask := keep(t, s)
	ann := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}
	bob, elsewhere, public := ann, ann, ann
	bob.User, elsewhere.Tenant, public.Clearance = "bob", "other", ctxmcp.Public
	named := 0
	for _, by := range []ctxmcp.Caller{ann, bob, elsewhere, public} {
		for _, scope := range []string{`{}`, `{"session":"s1"}`, `{"session":"s2"}`, `{"project":"web"}`, `{"task":"garden"}`, `{"task":"other"}`} {
			s.Caller = func(context.Context) (ctxmcp.Caller, bool) { return by, true }
			for query, id := range map[string]string{"survey of beetles": inSession, "survey of orchids": ofTask} {
				reads := !callTool(t, s, "get_artifact", fmt.Sprintf(`{"artifact_id":%q,"scope":%s}`, id, scope)).IsError
				ids := keptIn(t, callTool(t, s, "recall", fmt.Sprintf(`{"query":%q,"scope":%s}`, query, scope)).StructuredContent)
				names := len(ids) > 0 && strings.Contains(strings.Join(ids, " "), id)
				if names != reads {
					t.Errorf("%s of %s at %s reads %s: %t, and is told of it: %t", by.User, by.Tenant, scope, id, reads, names)
				}
				if names {
					named++
				}
			}
		}
	}
	if named == 0 {
		t.Error("nothing is named anywhere")
	}
}
