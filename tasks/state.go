package tasks

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// State is one version of what a task hands on. A version never changes.
type State struct {
	Tenant        string                     `json:"tenant"`
	ID            string                     `json:"task_id"`
	Home          ctxmcp.Scope               `json:"home"` // bounds the visibility
	Version       int                        `json:"version"`
	Parent        string                     `json:"parent_task_id,omitempty"`
	Producer      string                     `json:"producer,omitempty"`
	Summary       string                     `json:"summary,omitempty"`
	SchemaVersion string                     `json:"schema_version,omitempty"`
	Metadata      map[string]json.RawMessage `json:"metadata,omitempty"`
	Artifacts     []string                   `json:"artifact_ids"`          // in the order in which they were named
	Removed       []string                   `json:"removed_ids,omitempty"` // artifacts that were put for the task, and are no longer handed on
	Saved         time.Time                  `json:"saved"`
}

// Clone returns a copy that shares nothing with s.
func (s State) Clone() State {
	s.Metadata = maps.Clone(s.Metadata)
	for k, v := range s.Metadata {
		s.Metadata[k] = slices.Clone(v)
	}
	s.Artifacts, s.Removed = slices.Clone(s.Artifacts), slices.Clone(s.Removed)
	return s
}

// Compare orders states by their homes, the innermost last, and in one home by their ids.
func Compare(a, b State) int {
	return cmp.Or(cmp.Compare(depth(a), depth(b)), cmp.Compare(a.Home.Namespace(), b.Home.Namespace()), cmp.Compare(a.ID, b.ID))
}

func depth(s State) int {
	return len(s.Home.Ancestors())
}

// Store keeps states. It decides nothing.
type Store interface {
	// FindTasks returns the latest version of the task in each of the namespaces that has one, in the order of Compare. An empty id asks for
	// every task.
	FindTasks(ctx context.Context, tenant string, namespaces []string, id string) ([]State, error)
	// BrowseTasks returns the latest versions of the tasks that b.Match selects, in the order of Later, at most b.Limit of them.
	BrowseTasks(ctx context.Context, b Browsing) ([]State, error)
	// SaveTask keeps a version with the pins that come with it, in one transaction. It returns the Error of Moved unless
	// the version follows the latest one of the task in its home.
	SaveTask(ctx context.Context, s State, pins []artifacts.Pin, audit ctxmcp.Event) error
}

// Moved is the Error for a version that does not follow the current one.
func Moved(id string, current int) error {
	e := ctxmcp.Errorf(ctxmcp.CodeConflict, "task %s is at version %s", id, strconv.Itoa(current))
	return e.WithHint("read it with get_task_state, then save again with expected_version %d", current)
}
