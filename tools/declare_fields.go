package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/tasks"
)

func declareFields() Tool {
	return define(definition{name: "declare_fields", title: "Declare fields", toolset: TaskTools, readOnly: true, idempotent: true, heavy: always},
		func(ctx context.Context, c call, in declareIn) (declareOut, error) {
			d, err := c.Tasks.Declare(ctx, c.by, c.at, tasks.Ask{
				ID: in.TaskID, Fields: in.Fields, ArtifactIDs: artifactIDs(in.ArtifactIDs), Expected: in.ExpectedVersion, MaxTokens: in.MaxTokens,
			})
			return declareOut{d.ID, d.Version, d.Fields, d.Missing, d.Named, d.Omitted, d.Tokens, d.Counter}, err
		})
}

type declareIn struct {
	TaskID          string   `json:"task_id"`
	Fields          []string `json:"fields"`
	ArtifactIDs     []string `json:"artifact_ids,omitempty" for:"harness"`
	ExpectedVersion *int     `json:"expected_version,omitempty" for:"harness"`
	MaxTokens       int      `json:"max_tokens,omitempty" jsonschema:"minimum=1,maximum=1000000"`
	place
}

type declareOut struct {
	TaskID  string                 `json:"task_id"`
	Version int                    `json:"version"`
	Fields  map[string]tasks.Field `json:"fields"`
	Missing []string               `json:"missing"`
	Named   map[string]string      `json:"named,omitempty" jsonschema_description:"Of missing: the artifact that names it, with several values or none"`
	Omitted []string               `json:"omitted,omitempty"`
	Tokens  int                    `json:"tokens"`
	Counter string                 `json:"counter"`
}

// lines implements told: the values, and where they are from where that is not as a reader expects it.
func (o declareOut) lines() string {
	var b strings.Builder
	var from []string
	for _, name := range slices.Sorted(maps.Keys(o.Fields)) {
		f := o.Fields[name]
		d := json.NewDecoder(bytes.NewReader(f.Value))
		d.UseNumber()
		v, err := parse(d)
		if err != nil { // it was read out of JSON
			v = string(f.Value)
		}
		label := name
		if f.Path != name && f.Path != "$['"+name+"']" {
			label += " (" + f.Path + first(f.Values) + ")"
		}
		sayField(&b, "", field{label, v})
		source := f.Artifact
		if f.Task != "" {
			source = "metadata of task " + f.Task
		}
		if !slices.Contains(from, source) {
			from = append(from, source)
		}
	}
	all := []string{strings.TrimSuffix(b.String(), "\n")}
	var named []string
	for _, name := range slices.Sorted(maps.Keys(o.Named)) {
		named = append(named, name+" in "+o.Named[name])
	}
	missing := slices.DeleteFunc(slices.Clone(o.Missing), func(name string) bool { return o.Named[name] != "" })
	for title, names := range map[string][]string{
		"from": from, "missing": missing, "named, without one value": named, "over max_tokens": o.Omitted,
	} {
		if len(names) > 0 {
			all = append(all, title+": "+strings.Join(names, ", "))
		}
	}
	slices.Sort(all[1:])
	return strings.TrimPrefix(strings.Join(all, "\n"), "\n")
}

// first says of how many values one is the first.
func first(of int) string {
	if of == 0 {
		return ""
	}
	return ", the first of " + strconv.Itoa(of)
}
