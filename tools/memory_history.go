package tools

import (
	"context"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

func memoryHistory() Tool {
	return define(definition{
		name: "memory_history", title: "Memory history", toolset: MemoryTools, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c call, in historyIn) (historyOut, error) {
		versions, err := c.Memory.History(ctx, c.by, memory.HistoryAsk{
			ObjectID: in.ObjectID, FactID: in.FactID, Entity: in.Entity,
			AsOf: time.Time(in.AsOf), BelievedAt: time.Time(in.BelievedAt), Scope: c.at,
		})
		return historyOutOf(versions), err
	})
}

type historyIn struct {
	ObjectID   string `json:"object_id,omitempty"`
	FactID     string `json:"fact_id,omitempty"`
	Entity     string `json:"entity,omitempty" holds:"text" jsonschema_description:"Name or entity_id"`
	AsOf       Time   `json:"as_of,omitzero"`
	BelievedAt Time   `json:"believed_at,omitzero"`
	place
}

type historyOut struct {
	Versions []versionOut `json:"versions"`
}

type versionOut struct {
	ObjectID            string                     `json:"object_id"`
	FactID              string                     `json:"fact_id"`
	Version             int                        `json:"version"`
	Content             string                     `json:"content"`
	ValidFrom           Time                       `json:"valid_from"`
	ValidUntil          OpenTime                   `json:"valid_until"`
	TxStart             Time                       `json:"tx_start"`
	TxEnd               OpenTime                   `json:"tx_end"`
	ContradictionStatus ctxmcp.ContradictionStatus `json:"contradiction_status"`
	SupersessionLink    OpenText                   `json:"supersession_link"`
	SourceOrigin        string                     `json:"source_origin"`
	EndedBy             string                     `json:"ended_by,omitempty"`
	Claim               string                     `json:"claim,omitempty"`
	ClaimExtracted      bool                       `json:"claim_extracted,omitempty"`
}

func historyOutOf(versions []ctxmcp.ContextObject) historyOut {
	out := historyOut{Versions: []versionOut{}}
	for _, o := range versions {
		v := versionOut{
			ObjectID: o.ObjectID, FactID: o.FactID, Version: o.Version, Content: o.Content,
			ValidFrom: Time(o.ValidFrom), ValidUntil: OpenTime(o.ValidUntil), TxStart: Time(o.TxStart),
			TxEnd: OpenTime(o.TxEnd), ContradictionStatus: o.StatusNow(), SourceOrigin: o.SourceOrigin,
			SupersessionLink: OpenText(o.LinkNow()), Claim: o.NormalizedClaim, ClaimExtracted: o.ClaimExtracted,
		}
		if o.Closing != nil {
			v.EndedBy = o.Closing.Reason
		}
		out.Versions = append(out.Versions, v)
	}
	return out
}
