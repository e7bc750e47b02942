package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/tasks"
)

func saveTaskState() Tool {
	return define(definition{name: "save_task_state", title: "Save task state", toolset: TaskTools},
		func(ctx context.Context, c call, in saveTaskIn) (saveTaskOut, error) {
			v, err := c.Tasks.Save(ctx, c.by, c.at, tasks.Draft{
				ID: in.TaskID, Parent: in.ParentTaskID, Producer: in.Producer, Summary: in.Summary, SchemaVersion: in.SchemaVersion,
				Metadata: in.Metadata, ArtifactIDs: artifactIDs(in.ArtifactIDs), RemoveIDs: artifactIDs(in.RemoveIDs),
				Expected: in.ExpectedVersion,
			})
			return saveTaskOut{v.ID, v.Version, taskArtifactsOut(v)}, err
		})
}

type saveTaskIn struct {
	TaskID          string                     `json:"task_id"`
	ParentTaskID    string                     `json:"parent_task_id,omitempty"`
	Producer        string                     `json:"producer,omitempty" for:"harness"`
	Summary         string                     `json:"summary,omitempty" holds:"text"`
	Metadata        map[string]json.RawMessage `json:"metadata,omitempty" holds:"values"`
	SchemaVersion   string                     `json:"schema_version,omitempty" for:"harness"`
	ArtifactIDs     []string                   `json:"artifact_ids,omitempty"`
	RemoveIDs       []string                   `json:"remove_artifact_ids,omitempty" for:"harness"`
	ExpectedVersion *int                       `json:"expected_version,omitempty" jsonschema_description:"Refuses to overwrite another" for:"harness"`
	home
}

type saveTaskOut struct {
	TaskID    string            `json:"task_id"`
	Version   int               `json:"version"`
	Artifacts []taskArtifactOut `json:"artifacts"`
}

// taskArtifactOut is a reference as a task hands it on.
type taskArtifactOut struct {
	ArtifactID   string   `json:"artifact_id"`
	ArtifactType string   `json:"artifact_type"`
	Pointer      string   `json:"pointer"`
	Summary      string   `json:"summary"`
	SizeBytes    int64    `json:"size_bytes"`
	SchemaKeys   []string `json:"schema_keys"`
}

func taskArtifactsOut(v tasks.View) []taskArtifactOut {
	out := []taskArtifactOut{}
	for _, a := range v.References {
		out = append(out, taskArtifactOut{a.ID, a.Type, a.URI(), a.Summary, a.Size, a.SchemaKeys})
	}
	return out
}

// lines implements told.
func (o saveTaskOut) lines() string {
	var ids []string
	for _, a := range o.Artifacts {
		ids = append(ids, a.ArtifactID)
	}
	said := fmt.Sprintf("task %s is saved as version %d", o.TaskID, o.Version)
	if len(ids) > 0 {
		said += " with " + strings.Join(ids, ", ")
	}
	return said
}
