package storetest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// taskState returns a version of a task of ann's.
func taskState(id string, version int) tasks.State {
	return tasks.State{
		Tenant: "acme", ID: id, Home: ctxmcp.Scope{User: "ann", Project: "web"}, Version: version, Parent: "plan",
		Producer: "searcher", Summary: "found \"it\" — 日本語", SchemaVersion: "2", Artifacts: []string{"a_2", "a_1"},
		Metadata: map[string]json.RawMessage{"n": json.RawMessage(`[1,{"x":null}]`)}, Saved: day(version),
	}
}

func saveTask(t *testing.T, s tasks.Store, state tasks.State, pins ...artifacts.Pin) {
	t.Helper()
	if err := s.SaveTask(context.Background(), state, pins, ctxmcp.Event{At: state.Saved, Tenant: state.Tenant, Action: "save_task_state"}); err != nil {
		t.Fatalf("SaveTask: %v", err)
	}
}

func wantTasks(t *testing.T, s tasks.Store, tenant string, namespaces []string, id string, want ...tasks.State) {
	t.Helper()
	got, err := s.FindTasks(context.Background(), tenant, namespaces, id)
	if err != nil {
		t.Fatalf("FindTasks: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("FindTasks(%s, %v, %s) differs (-want +got):\n%s", tenant, namespaces, id, diff)
	}
}

// taskVersions: the latest version of each home comes back as it was given, the innermost home last.
func taskVersions(t *testing.T, s Store) {
	web := "user_ann:project_web"
	inner := taskState("t1", 1)
	inner.Home.Session = "s1"
	for _, state := range []tasks.State{inner, taskState("t1", 1), taskState("t1", 2), taskState("t2", 1)} {
		saveTask(t, s, state)
	}
	wantTasks(t, s, "acme", []string{web}, "t1", taskState("t1", 2))
	wantTasks(t, s, "acme", []string{web + ":session_s1", web, "user_ann"}, "t1", taskState("t1", 2), inner)
	wantTasks(t, s, "acme", []string{"user_ann"}, "t1")
	wantTasks(t, s, "acme", nil, "t1")
	wantTasks(t, s, "other", []string{web}, "t1")
	wantTasks(t, s, "acme", []string{web}, "T1")
	wantTasks(t, s, "acme", []string{web + ":session_s1", web}, "", taskState("t1", 2), taskState("t2", 1), inner)
	wantTasks(t, s, "other", []string{web}, "")
}

// taskConflicts: a version follows the latest one, and of several who save the same one wins.
func taskConflicts(t *testing.T, s Store) {
	saveTask(t, s, taskState("t1", 1))
	for _, version := range []int{0, 1, 3} {
		err := s.SaveTask(context.Background(), taskState("t1", version), nil, ctxmcp.Event{At: epoch, Tenant: "acme"})
		if ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
			t.Errorf("SaveTask of version %d after 1 = %v, want a conflict", version, err)
		}
	}
	Race(t, 8, 1, ctxmcp.CodeConflict, func(int) error {
		return s.SaveTask(context.Background(), taskState("t1", 2), nil, ctxmcp.Event{At: epoch, Tenant: "acme"})
	})
}
