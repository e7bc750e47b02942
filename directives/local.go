package directives

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// Recaller answers questions from memory.
type Recaller interface {
	Recall(ctx context.Context, by ctxmcp.Caller, ask memory.Ask) (memory.Recalled, error)
}

// Memory brings what is remembered: "memory:how do we deploy".
type Memory struct{ Service Recaller }

// Fetch implements Provider.
func (m Memory) Fetch(ctx context.Context, c Call) (Fetched, error) {
	query := strings.TrimSpace(c.Rest)
	r, err := m.Service.Recall(ctx, c.By, memory.Ask{Query: query, Limit: c.Budget.Items, MaxTokens: c.Budget.Tokens, Scope: c.At})
	if err != nil {
		return Fetched{}, err
	}
	var got Fetched
	for _, found := range r.Memories {
		source, err := packets.Object(found.Stored())
		if err != nil {
			return Fetched{}, err
		}
		got.Found = append(got.Found, Found{
			URI: "memory://" + found.Object.ObjectID, MediaType: artifacts.Text, Text: found.Object.Content, Sources: []packets.Source{source},
		})
	}
	for _, why := range slices.Sorted(maps.Keys(r.Omitted)) {
		got.Skipped = append(got.Skipped, Skipped{"memory:" + query, strconv.Itoa(r.Omitted[why]) + " " + string(why)})
	}
	return got, nil
}

// Reader reads artifacts.
type Reader interface {
	Read(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask artifacts.Ask) (artifacts.Slice, error)
}

// Artifact brings an artifact, or a slice of one: "artifact:ID?lines=10-40", with lines, pattern or path as get_artifact has
// them.
type Artifact struct{ Service Reader }

// Fetch implements Provider.
func (a Artifact) Fetch(ctx context.Context, c Call) (Fetched, error) {
	id, query, _ := strings.Cut(strings.TrimPrefix(c.Rest, "//"), "?")
	o, err := options(query, "lines", "pattern", "path")
	if err != nil {
		return Fetched{}, err
	}
	slice, err := a.Service.Read(ctx, c.By, c.At, artifacts.Ask{ // whole: its kind decides which parts are shown, not their place
		ID: id, Lines: o["lines"], Pattern: o["pattern"], Path: o["path"], MaxTokens: min(max(c.Budget.Tokens, int(c.Budget.Bytes/4)), 1_000_000),
	})
	if err != nil {
		return Fetched{}, err
	}
	if slice.Encoding != "" {
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "artifact %q is not text", ctxmcp.Clip(id, maxEcho)).WithHint("get_artifact reads bytes of any kind")
	}
	held := slice.Artifact
	got := Fetched{Held: &held, Found: []Found{{
		URI: held.URI(), MediaType: held.MediaType, Text: slice.Content, Sources: []packets.Source{packets.Artifact(held)},
	}}}
	if slice.NextOffset != nil {
		got.Skipped = append(got.Skipped, Skipped{held.URI(), fmt.Sprintf("all from byte %d on: get_artifact reads it", *slice.NextOffset)})
	}
	return got, nil
}

// Tasks tells what a task hands on.
type Tasks interface {
	Get(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) (tasks.View, error)
	Declare(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask tasks.Ask) (tasks.Declared, error)
}

// Task brings what a task hands on: "task:ID" the summaries, "task:ID?fields=total,$.reports[0].title" values.
type Task struct{ Service Tasks }

// Fetch implements Provider.
func (t Task) Fetch(ctx context.Context, c Call) (Fetched, error) {
	id, query, _ := strings.Cut(strings.TrimPrefix(c.Rest, "//"), "?")
	o, err := options(query, "fields")
	if err != nil {
		return Fetched{}, err
	}
	view, err := t.Service.Get(ctx, c.By, c.At, id)
	if err != nil {
		return Fetched{}, err
	}
	found := Found{URI: "task://" + id, MediaType: artifacts.Text, Text: view.Summaries()}
	for _, a := range view.References {
		found.Sources = append(found.Sources, packets.Artifact(a))
	}
	if o["fields"] == "" {
		return Fetched{Found: []Found{found}}, nil
	}
	d, err := t.Service.Declare(ctx, c.By, c.At, tasks.Ask{ID: id, Fields: strings.Split(o["fields"], ","), MaxTokens: c.Budget.Tokens})
	if err != nil {
		return Fetched{}, err
	}
	raw, err := json.Marshal(d.Fields)
	found.MediaType, found.Text = artifacts.JSON, string(raw)
	got := Fetched{Found: []Found{found}}
	for _, name := range slices.Concat(d.Missing, d.Omitted) {
		got.Skipped = append(got.Skipped, Skipped{found.URI + "?fields=" + name, "no artifact has it, or it is over the tokens"})
	}
	return got, err
}
