package tools

import (
	"context"
	"encoding/json"
)

func getTaskState() Tool {
	return define(definition{name: "get_task_state", title: "Get task state", toolset: TaskTools, readOnly: true, idempotent: true},
		func(ctx context.Context, c call, in getTaskIn) (getTaskOut, error) {
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

type getTaskIn struct {
	TaskID string `json:"task_id"`
	place
}

type getTaskOut struct {
	TaskID        string                     `json:"task_id"`
	ParentTaskID  OpenText                   `json:"parent_task_id"`
	Version       int                        `json:"version"`
	Producer      string                     `json:"producer,omitempty"`
	SchemaVersion string                     `json:"schema_version,omitempty"`
	Metadata      map[string]json.RawMessage `json:"metadata"`
	Artifacts     []taskArtifactOut          `json:"artifacts"`
	Summaries     string                     `json:"summaries"`
}
