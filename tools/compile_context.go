package tools

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func compileContext() Tool {
	return define(definition{
		name: "compile_context", content: true, title: "Compile context", toolset: ContextTools, harness: true, openWorld: true, heavy: always,
		terms: schema.Vocabulary(schema.Terms{}, compiler.Formats()),
	}, func(ctx context.Context, c call, in compileIn) (compileOut, error) {
		r, err := c.Compiler.Compile(ctx, c.by, c.at, in.ask())
		return compiledOut(r, in.Trace), err
	})
}

type compileIn struct {
	UserMessage  string            `json:"user_message,omitempty" holds:"text"`
	TaskType     ctxmcp.TaskType   `json:"task_type,omitempty"`
	SystemPrompt string            `json:"system_prompt,omitempty" holds:"text"`
	MemoryQuery  string            `json:"memory_query,omitempty" holds:"text" jsonschema_description:"Default: by the step"`
	TaskID       string            `json:"task_id,omitempty"`
	ToolResults  []toolResultIn    `json:"tool_results,omitempty"`
	Messages     []json.RawMessage `json:"messages,omitempty" holds:"text"`
	Directives   []string          `json:"directives,omitempty" holds:"text"`
	Fields       []string          `json:"fields,omitempty" jsonschema_description:"The task must fill"`
	MaxTokens    int               `json:"max_tokens,omitempty" jsonschema:"minimum=1" jsonschema_description:"Default 8000"`
	Model        string            `json:"model,omitempty"`
	Format       compiler.Format   `json:"format,omitempty" jsonschema_description:"Default openai"`
	Origin       string            `json:"origin,omitempty" holds:"text" jsonschema_description:"Web page you are on"`
	AsOf         Time              `json:"as_of,omitzero"`
	BelievedAt   Time              `json:"believed_at,omitzero"`
	// ContextRef names a packet into which directives have promoted what they brought.
	ContextRef string                     `json:"context_ref,omitempty"`
	Metadata   map[string]json.RawMessage `json:"metadata,omitempty" holds:"text"`
	Trace      bool                       `json:"trace,omitempty" jsonschema_description:"Why each candidate is in or out"`
	home
}

type toolResultIn struct {
	ToolCallID string          `json:"tool_call_id"`
	Tool       string          `json:"tool" holds:"text"`
	Result     json.RawMessage `json:"result" holds:"text"`
}

func (in compileIn) ask() compiler.Ask {
	ask := compiler.Ask{
		UserMessage: in.UserMessage, SystemPrompt: in.SystemPrompt, Query: in.MemoryQuery, TaskType: in.TaskType, TaskID: in.TaskID,
		Messages: in.Messages, Directives: in.Directives, Fields: in.Fields, MaxTokens: in.MaxTokens, Model: in.Model,
		Format: in.Format, Origin: in.Origin, ContextRef: in.ContextRef, Metadata: in.Metadata, AsOf: time.Time(in.AsOf), BelievedAt: time.Time(in.BelievedAt),
	}
	for _, r := range in.ToolResults {
		ask.ToolResults = append(ask.ToolResults, compiler.ToolResult{CallID: r.ToolCallID, Tool: r.Tool, Value: r.Result})
	}
	return ask
}

// compileOut is lean: the way to the prompt stands in it only where the caller asks for the trace, and explain_context tells it later.
type compileOut struct {
	TraceID          string            `json:"trace_id"`
	ContextRef       string            `json:"context_ref"`
	Format           compiler.Format   `json:"format"`
	System           json.RawMessage   `json:"system,omitempty"`
	Messages         []json.RawMessage `json:"messages"`
	Tokens           int               `json:"tokens"`
	Budget           int               `json:"budget"`
	Utilization      float64           `json:"utilization"`
	Warnings         []string          `json:"warnings,omitempty"`
	ValidationStatus string            `json:"validation_status"`
	*compileTrace
}

// compileTrace is the way to a prompt.
type compileTrace struct {
	Counter     string                 `json:"counter"`
	Zones       []compiler.Zone        `json:"zones"`
	Compiled    []compiler.Compiled    `json:"compiled"`
	Omitted     []compiler.Omitted     `json:"omitted"`
	Quarantined []compiler.Quarantined `json:"quarantined"`
	Retrieval   compiler.Retrieval     `json:"retrieval"`
	Cache       compiler.CacheMetadata `json:"cache"`
	Metrics     compileMetrics         `json:"metrics"`
}

type compileMetrics struct {
	compiler.Metrics
	LatencyMS float64            `json:"compilation_latency_ms"`
	StageMS   map[string]float64 `json:"stage_ms"`
}

func compiledOut(r compiler.Result, traced bool) compileOut {
	o := r.Output
	out := compileOut{
		TraceID: r.TraceID, ContextRef: r.Ref, Format: o.Format, System: o.System, Messages: o.Messages, Tokens: o.Tokens, Budget: o.Budget,
		Utilization: o.Utilization, Warnings: o.Warnings, ValidationStatus: o.Trace.Status,
	}
	if !traced {
		return out
	}
	out.compileTrace = &compileTrace{
		Counter: o.Counter, Zones: o.Zones, Compiled: o.Trace.Compiled, Omitted: o.Trace.Omitted, Quarantined: o.Trace.Quarantined,
		Retrieval: o.Trace.Retrieval, Cache: o.Trace.Cache,
		Metrics: compileMetrics{Metrics: o.Trace.Metrics, LatencyMS: milliseconds(r.Took), StageMS: map[string]float64{}},
	}
	for _, t := range r.Stages {
		out.Metrics.StageMS[t.Stage] = milliseconds(t.Took)
	}
	return out
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
