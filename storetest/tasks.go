package storetest

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// taskLists: a person's tasks come in their latest versions, the last saved first, page by page, each once.
func taskLists(t *testing.T, s Store) {
	inner, bobs, hers := taskState("t1", 1), taskState("t3", 1), taskState("t4", 1)
	inner.Home.Session, bobs.Home.User, hers.Home = "s1", "bob", ctxmcp.Scope{User: "ann_", Project: "web"}
	child, bare, elsewhere := taskState("t5", 1), taskState("t6", 1), taskState("t7", 1)
	child.Parent, bare.Home, elsewhere.Tenant = "t1", ctxmcp.Scope{User: "ann"}, "globex"
	other := taskState("t8", 1)
	other.Home.Project = "ops"
	all := []tasks.State{inner, taskState("t1", 1), taskState("t1", 2), taskState("t2", 1), bobs, hers, child, bare, elsewhere, other}
	for _, state := range all {
		saveTask(t, s, state)
	}
	latest := slices.DeleteFunc(slices.Clone(all), func(x tasks.State) bool { return x.ID == "t1" && x.Home.Session == "" && x.Version == 1 })
	slices.SortFunc(latest, tasks.Later)
	for _, l := range []tasks.Browsing{{}, {ID: "t1"}, {Parent: "t1"}, {Projects: []string{"web"}}, {Projects: []string{"ops", "x"}}, {ID: "none"}} {
		l.Tenant, l.User, l.Limit = "acme", "ann", 2
		for {
			var want []tasks.State
			for _, x := range latest {
				if l.Match(x) && len(want) < l.Limit {
					want = append(want, x)
				}
			}
			got, err := s.BrowseTasks(context.Background(), l)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
				t.Fatalf("BrowseTasks(%+v) = %v, differs (-want +got):\n%s", l, err, diff)
			}
			if len(got) == 0 {
				break
			}
			l.Behind = tasks.MarkOf(got[len(got)-1])
		}
	}
}
