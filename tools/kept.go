package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// namedOut is an artifact or a task that a question to memory speaks of. It is named, not told: get_artifact and get_task_state tell it.
type namedOut struct {
	Kind    namedKind `json:"kind"`
	ID      string    `json:"id"`
	Type    string    `json:"artifact_type,omitempty"`
	Summary string    `json:"summary"`
	At      Time      `json:"at"` // when it was put, or saved last

	bearing float64
	told    string // the line that names it, and the tool that reads it
}

// namedKind is the kind of a kept thing. The words are sent: append only.
type namedKind string

const (
	artifactKept namedKind = "artifact"
	taskKept     namedKind = "task"
)

// The bounds of the things that an answer names beside memories.
const (
	mostKept    = 3
	leastKept   = 0.5 // of the question that a summary must speak of
	keptFrom    = 100 // the newest artifacts, by their summaries
	keptSummary = 120 // characters
)

// named reports whether a recall names kept things: it has a question, which is of now and of no other place than the call's.
func (in recallIn) named() bool {
	return strings.TrimSpace(in.Query) != "" && in.Order != newestOrder && in.Cursor == "" && in.Prefix == "" && in.Origin == "" &&
		len(in.ObjectTypes) == 0 && time.Time(in.AsOf).IsZero() && time.Time(in.BelievedAt).IsZero()
}

// kept returns the artifacts that get_artifact would read from here, and the open tasks that get_task_state would list, whose summaries speak of most of
// the question, the best first and then the newest.
func (c call) kept(ctx context.Context, question string) ([]namedOut, error) {
	all, err := c.keptHere(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	texts := make([]string, len(all))
	for i, k := range all {
		texts[i] = k.Summary
	}
	bearings, err := c.Memory.Bearings(ctx, question, texts)
	if err != nil {
		return nil, err
	}
	for i, b := range bearings {
		all[i].bearing = b
	}
	all = slices.DeleteFunc(all, func(k namedOut) bool { return k.bearing < leastKept })
	slices.SortFunc(all, func(a, b namedOut) int {
		return cmp.Or(cmp.Compare(b.bearing, a.bearing), time.Time(b.At).Compare(time.Time(a.At)), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), mostKept)], nil
}

// keptHere returns the artifacts and open tasks with a summary that are visible from the place of the call.
func (c call) keptHere(ctx context.Context) (all []namedOut, err error) {
	if c.Artifacts != nil {
		found, err := c.Artifacts.Told(ctx, c.by, c.at, keptFrom)
		if err != nil {
			return nil, err
		}
		for _, a := range found {
			all = append(all, namedOut{Kind: artifactKept, ID: a.ID, Type: a.Type, Summary: artifacts.OneSummary(a), At: Time(a.Created), told: artifacts.Line(a)})
		}
	}
	if c.Tasks != nil {
		found, _, err := c.Tasks.List(ctx, c.by, c.at)
		if err != nil {
			return nil, fmt.Errorf("find tasks: %w", err)
		}
		for _, t := range found {
			if t.Summary != "" && isOpen(t) {
				k := namedOut{Kind: taskKept, ID: t.ID, Summary: ctxmcp.Clip(containment.OneLine(t.Summary), keptSummary), At: Time(t.Saved)}
				k.told = fmt.Sprintf("task saved %s, get_task_state task_id=%s: %s", t.Saved.UTC().Format(time.DateOnly), k.ID, k.Summary)
				all = append(all, k)
			}
		}
	}
	return all, nil
}

// isOpen reports whether the metadata of a task do not call it over.
func isOpen(t tasks.State) bool {
	var status string
	if json.Unmarshal(t.Metadata["status"], &status) != nil {
		return true
	}
	return !slices.Contains(strings.Fields("done completed complete closed cancelled canceled finished"), strings.ToLower(status))
}
