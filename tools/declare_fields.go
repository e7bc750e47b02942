package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/tasks"
)

func declareFields() Tool {
	return define(definition{name: "declare_fields", title: "Declare fields", toolset: TaskTools, readOnly: true, idempotent: true, heavy: always},
		func(ctx context.Context, c call, in declareIn) (declareOut, error) {
			d, err := c.Tasks.Declare(ctx, c.by, c.at, tasks.Ask{
				ID: in.TaskID, Fields: in.Fields, ArtifactIDs: artifactIDs(in.ArtifactIDs), Expected: in.ExpectedVersion, MaxTokens: in.MaxTokens,
			})
			return declareOut{d.ID, d.Version, d.Fields, d.Missing, d.Omitted, d.Tokens, d.Counter}, err
		})
}

type declareIn struct {
	TaskID          string   `json:"task_id"`
	Fields          []string `json:"fields"`
	ArtifactIDs     []string `json:"artifact_ids,omitempty"`
	ExpectedVersion *int     `json:"expected_version,omitempty"`
	MaxTokens       int      `json:"max_tokens,omitempty" jsonschema:"minimum=1,maximum=1000000" jsonschema_description:"Default 2000"`
	place
}

type declareOut struct {
	TaskID  string                 `json:"task_id"`
	Version int                    `json:"version"`
	Fields  map[string]tasks.Field `json:"fields"`
	Missing []string               `json:"missing"`
	Omitted []string               `json:"omitted,omitempty"`
	Tokens  int                    `json:"tokens"`
	Counter string                 `json:"counter"`
}
