package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/tasks"
)

func getTaskState() Tool {
	return define(definition{name: "get_task_state", title: "Get task state", toolset: TaskTools, readOnly: true, idempotent: true},
		func(ctx context.Context, c call, in getTaskIn) (getTaskOut, error) {
			if in.TaskID == "" {
				return listTasks(ctx, c)
			}
			v, err := c.Tasks.Get(ctx, c.by, c.at, in.TaskID)
			if err != nil {
				return getTaskOut{}, err
			}
			out := getTaskOut{
				TaskID: v.ID, ParentTaskID: OpenText(v.Parent), Version: v.Version, Producer: v.Producer, SchemaVersion: v.SchemaVersion,
				Metadata: v.Metadata, Artifacts: taskArtifactsOut(v), Summaries: v.Summaries(),
			}
			if out.Metadata == nil {
				out.Metadata = map[string]json.RawMessage{}
			}
			return out, nil
		})
}

// listTasks answers a call that names no task.
func listTasks(ctx context.Context, c call) (getTaskOut, error) {
	list, all, err := c.Tasks.List(ctx, c.by, c.at)
	out := getTaskOut{Tasks: []taskOut{}, Metadata: map[string]json.RawMessage{}, Artifacts: []taskArtifactOut{}, Summaries: tasks.Listing(list, all)}
	for _, t := range list {
		out.Tasks = append(out.Tasks, taskOut{t.ID, t.Parent, t.Version, t.Summary, t.Saved})
	}
	return out, err
}

type getTaskIn struct {
	TaskID string `json:"task_id,omitempty"`
	place
}

// taskOut is a task of a list.
type taskOut struct {
	TaskID       string    `json:"task_id"`
	ParentTaskID string    `json:"parent_task_id,omitempty"`
	Version      int       `json:"version"`
	Summary      string    `json:"summary,omitempty"`
	Saved        time.Time `json:"saved"`
}

type getTaskOut struct {
	Tasks         []taskOut                  `json:"tasks,omitempty"`
	TaskID        string                     `json:"task_id"`
	ParentTaskID  OpenText                   `json:"parent_task_id"`
	Version       int                        `json:"version"`
	Producer      string                     `json:"producer,omitempty"`
	SchemaVersion string                     `json:"schema_version,omitempty"`
	Metadata      map[string]json.RawMessage `json:"metadata"`
	Artifacts     []taskArtifactOut          `json:"artifacts"`
	Summaries     string                     `json:"summaries"`
}

// lines implements told: the summaries name the artifacts by their ids.
func (o getTaskOut) lines() string {
	if o.TaskID == "" { // a list
		return o.Summaries
	}
	head := fmt.Sprintf("task %s, version %d", o.TaskID, o.Version)
	if o.ParentTaskID != "" {
		head += ", below " + string(o.ParentTaskID)
	}
	if o.Producer != "" {
		head += ", by " + o.Producer
	}
	all := []string{head}
	if raw, err := json.Marshal(o.Metadata); err == nil && len(o.Metadata) > 0 {
		if said, err := Lines(raw); err == nil {
			all = append(all, said)
		}
	}
	return strings.Join(append(all, o.Summaries), "\n")
}
