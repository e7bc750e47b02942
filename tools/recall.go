package tools

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func recall() Tool {
	return define(definition{
		name: "recall", title: "Recall", toolset: MemoryTools, readOnly: true, idempotent: true,
		terms: schema.Vocabulary(schema.Terms{}, recallOrders()),
	}, func(ctx context.Context, c call, in recallIn) (recallOut, error) {
		ask := memory.Ask{
			Query: in.Query, Newest: in.Order == newestOrder, Cursor: in.Cursor, Limit: in.Limit, MaxTokens: in.MaxTokens, MinRelevance: in.MinRelevance,
			ObjectTypes: in.ObjectTypes, TaskType: in.TaskType, AsOf: time.Time(in.AsOf),
			BelievedAt: time.Time(in.BelievedAt), ReferenceTime: time.Time(in.ReferenceTime), Prefix: in.Prefix, Archived: in.IncludeArchived, Origin: in.Origin, Scope: c.at,
			Price: c.priceOfEntry,
		}
		r, err := c.Memory.Recall(ctx, c.by, ask)
		if err != nil {
			return recallOut{}, err
		}
		var kept []namedOut
		if in.named() {
			if kept, err = c.kept(ctx, in.Query); err != nil {
				return recallOut{}, err
			}
		}
		return c.recalled(r, kept...), nil
	})
}

type recallIn struct {
	Query           string              `json:"query,omitempty" holds:"text"`
	Order           recallOrder         `json:"order,omitempty"`
	Cursor          string              `json:"cursor,omitempty"`
	Limit           int                 `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" for:"harness"`
	MaxTokens       int                 `json:"max_tokens,omitempty" jsonschema:"minimum=1,maximum=1000000"`
	MinRelevance    *float64            `json:"min_relevance,omitempty" jsonschema:"minimum=0,maximum=1" for:"harness"`
	ObjectTypes     []ctxmcp.ObjectType `json:"object_types,omitempty" for:"harness"`
	TaskType        ctxmcp.TaskType     `json:"task_type,omitempty"`
	AsOf            Time                `json:"as_of,omitzero"`
	BelievedAt      Time                `json:"believed_at,omitzero"`
	ReferenceTime   Time                `json:"reference_time,omitzero" for:"harness" jsonschema_description:"The now of last week"`
	Prefix          string              `json:"prefix,omitempty" jsonschema_description:"user_42:*" for:"harness"`
	IncludeArchived bool                `json:"include_archived,omitempty" for:"harness"`
	Origin          string              `json:"origin,omitempty" holds:"text" for:"harness"`
	home
}

// recallOrder says what stands first. The words are sent: append only.
type recallOrder string

const (
	relevanceOrder recallOrder = "relevance"
	newestOrder    recallOrder = "newest"
)

func recallOrders() []recallOrder { return []recallOrder{relevanceOrder, newestOrder} }

type recallOut struct {
	Read          bool                    `json:"read"`
	Brief         bool                    `json:"brief,omitempty"`
	BestRelevance float64                 `json:"best_relevance"`
	Memories      []memoryOut             `json:"memories"`
	Tokens        int                     `json:"tokens"`
	Counter       string                  `json:"counter"`
	Omitted       map[memory.Omission]int `json:"omitted,omitempty"`
	Namespace     string                  `json:"namespace"`
	Held          int                     `json:"held,omitempty"`
	NextCursor    string                  `json:"next_cursor,omitempty"`
	Warnings      []string                `json:"warnings,omitempty"`
	Kept          []namedOut              `json:"kept,omitempty"`

	text string
}

func (o recallOut) lines() string { return o.text }

// memoryOut is a memory in an answer. A field that is not given has its usual value: the namespace that of the answer, the class
// restricted, the source the user, true from when it was recorded until further notice, contradicted by nothing.
type memoryOut struct {
	ObjectID            string                     `json:"object_id"`
	FactID              string                     `json:"fact_id"`
	Content             string                     `json:"content"`
	Relevance           float64                    `json:"relevance,omitempty"` // none without a question
	Part                brief.Part                 `json:"part,omitempty"`
	Namespace           string                     `json:"namespace,omitempty"`
	ObjectType          ctxmcp.ObjectType          `json:"object_type"`
	AuthorityLevel      ctxmcp.Authority           `json:"authority_level"`
	SourceOrigin        string                     `json:"source_origin,omitempty"`
	Classification      ctxmcp.Classification      `json:"classification,omitempty"`
	ValidFrom           Time                       `json:"valid_from,omitzero"`
	ValidUntil          Time                       `json:"valid_until,omitzero"`
	RecordedAt          Time                       `json:"recorded_at"`
	ContradictionStatus ctxmcp.ContradictionStatus `json:"contradiction_status,omitempty"`
	WhyItMatters        string                     `json:"why_it_matters,omitempty"`
	Claim               *ctxmcp.Claim              `json:"claim,omitempty"`
	MaybeOutdatedBy     string                     `json:"maybe_outdated_by,omitempty"`
	Tokens              int                        `json:"tokens"`
	Author              string                     `json:"author,omitempty"`
	UpdatePath          string                     `json:"update_path,omitempty"`
}

// recalled returns the answer with its text, which costs no more than was asked for.
func (c call) recalled(r memory.Recalled, kept ...namedOut) recallOut {
	out := recallOut{
		Read: r.Read, BestRelevance: ctxmcp.Round(r.Best), Memories: []memoryOut{}, Counter: r.Counter,
		Omitted: r.Omitted, Namespace: r.Namespace, Warnings: r.Warnings, Brief: r.Brief, Held: r.Held, NextCursor: r.Next,
	}
	hint := c.hint(r)
	if hint != "" && len(r.Memories) == 0 {
		out.Warnings = append(out.Warnings, hint)
	}
	counter, told := c.Memory.Counter, 0
	out.text, told = newPage(r, hint, kept...).within(r.MaxTokens, counter)
	out.Kept = slices.DeleteFunc(kept, func(k namedOut) bool { return !strings.Contains("\n"+out.text+"\n", "\n"+k.told+"\n") })
	for _, m := range r.Memories[:told] {
		out.Memories = append(out.Memories, c.memoryOut(m, r.Namespace))
	}
	if more := len(r.Memories) - told; more > 0 {
		out.Omitted[memory.OverBudget] += more
		if r.Next != "" && told > 0 {
			out.NextCursor = memory.Cursor(r.Memories[told-1].Object)
		}
	}
	out.Tokens = counter.Count(out.text)
	return out
}

// memoryOut returns a memory as it stands in an answer about a namespace.
func (c call) memoryOut(m memory.Memory, namespace string) memoryOut {
	o := m.Object
	out := memoryOut{
		ObjectID: o.ObjectID, FactID: o.FactID, Content: o.Content, Relevance: ctxmcp.Round(m.Relevance), Part: m.Part, ObjectType: o.ObjectType,
		AuthorityLevel: o.Authority, RecordedAt: Time(o.TxStart), ValidUntil: Time(o.ValidUntil), WhyItMatters: o.WhyItMatters,
		MaybeOutdatedBy: o.MaybeOutdatedBy, Tokens: m.Tokens, Author: o.Author, UpdatePath: o.UpdatePath, Namespace: unless(namespace, o.Home().Namespace()),
		SourceOrigin: unless(memory.UsualOrigin(c.by, o.SourceKind), o.SourceOrigin), Classification: unless(ctxmcp.Restricted, o.Classification),
		ContradictionStatus: unless(ctxmcp.Clean, o.ContradictionStatus),
	}
	if !o.ValidFrom.Equal(o.TxStart) {
		out.ValidFrom = Time(o.ValidFrom)
	}
	if !o.Claim.IsZero() {
		out.Claim = &o.Claim
	}
	return out
}

// unless returns said, or nothing where that is what goes without saying.
func unless[T ~string](usual, said T) T {
	if said == usual {
		return ""
	}
	return said
}

// priceOfEntry returns what a memory costs in the text of an answer, in tokens.
func (c call) priceOfEntry(o ctxmcp.ContextObject) int {
	return c.Memory.Counter.Count(brief.Entry(ctxmcp.ShortID(o.ObjectID), o))
}
