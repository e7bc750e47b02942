package tools

import (
	"context"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

func recall() Tool {
	return define(definition{
		name: "recall", title: "Recall", toolset: MemoryTools, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c call, in recallIn) (recallOut, error) {
		r, err := c.Memory.Recall(ctx, c.by, memory.Ask{
			Query: in.Query, Limit: in.Limit, MaxTokens: in.MaxTokens, MinRelevance: in.MinRelevance,
			ObjectTypes: in.ObjectTypes, TaskType: in.TaskType, AsOf: time.Time(in.AsOf),
			BelievedAt: time.Time(in.BelievedAt), ReferenceTime: time.Time(in.ReferenceTime), Prefix: in.Prefix, Archived: in.IncludeArchived, Origin: in.Origin, Scope: c.at,
		})
		return recalledOut(r), err
	})
}

type recallIn struct {
	Query           string              `json:"query" holds:"text"`
	Limit           int                 `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000"`
	MaxTokens       int                 `json:"max_tokens,omitempty" jsonschema:"minimum=1,maximum=1000000" jsonschema_description:"Default 1000"`
	MinRelevance    *float64            `json:"min_relevance,omitempty" jsonschema:"minimum=0,maximum=1"`
	ObjectTypes     []ctxmcp.ObjectType `json:"object_types,omitempty"`
	TaskType        ctxmcp.TaskType     `json:"task_type,omitempty"`
	AsOf            Time                `json:"as_of,omitzero"`
	BelievedAt      Time                `json:"believed_at,omitzero"`
	ReferenceTime   Time                `json:"reference_time,omitzero"`
	Prefix          string              `json:"prefix,omitempty" jsonschema_description:"user_42:*"`
	IncludeArchived bool                `json:"include_archived,omitempty"`
	Origin          string              `json:"origin,omitempty" holds:"text" jsonschema_description:"Web page you are on"`
	place
}

type recallOut struct {
	Read          bool                    `json:"read"`
	BestRelevance float64                 `json:"best_relevance"`
	Memories      []memoryOut             `json:"memories"`
	Tokens        int                     `json:"tokens"`
	Counter       string                  `json:"counter"`
	Omitted       map[memory.Omission]int `json:"omitted"`
	Namespace     string                  `json:"namespace"`
	Warnings      []string                `json:"warnings,omitempty"`
}

type memoryOut struct {
	ObjectID            string                     `json:"object_id"`
	FactID              string                     `json:"fact_id"`
	Content             string                     `json:"content"`
	Relevance           float64                    `json:"relevance"`
	Namespace           string                     `json:"namespace"`
	ObjectType          ctxmcp.ObjectType          `json:"object_type"`
	AuthorityLevel      ctxmcp.Authority           `json:"authority_level"`
	SourceOrigin        string                     `json:"source_origin"`
	Classification      ctxmcp.Classification      `json:"classification"`
	ValidFrom           Time                       `json:"valid_from"`
	ValidUntil          OpenTime                   `json:"valid_until"`
	RecordedAt          Time                       `json:"recorded_at"`
	ContradictionStatus ctxmcp.ContradictionStatus `json:"contradiction_status"`
	WhyItMatters        string                     `json:"why_it_matters"`
	Tokens              int                        `json:"tokens"`
	Author              string                     `json:"author,omitempty"`
	UpdatePath          string                     `json:"update_path,omitempty"`
}

func recalledOut(r memory.Recalled) recallOut {
	out := recallOut{
		Read: r.Read, BestRelevance: ctxmcp.Round(r.Best), Memories: []memoryOut{}, Tokens: r.Tokens, Counter: r.Counter,
		Omitted: r.Omitted, Namespace: r.Namespace, Warnings: r.Warnings,
	}
	for _, m := range r.Memories {
		o := m.Object
		out.Memories = append(out.Memories, memoryOut{
			ObjectID: o.ObjectID, FactID: o.FactID, Content: o.Content, Relevance: ctxmcp.Round(m.Relevance),
			Namespace: o.Home().Namespace(), ObjectType: o.ObjectType, AuthorityLevel: o.Authority,
			SourceOrigin: o.SourceOrigin, Classification: o.Classification, ValidFrom: Time(o.ValidFrom),
			ValidUntil: OpenTime(o.ValidUntil), RecordedAt: Time(o.TxStart), ContradictionStatus: o.ContradictionStatus,
			WhyItMatters: o.WhyItMatters, Tokens: m.Tokens, Author: o.Author, UpdatePath: o.UpdatePath,
		})
	}
	return out
}

// rounded cuts a relevance to what a reader can use: four decimals.
