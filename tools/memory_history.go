package tools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

func memoryHistory() Tool {
	return define(definition{
		name: "memory_history", title: "Memory history", toolset: MemoryTools, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c call, in historyIn) (historyOut, error) {
		versions, err := c.Memory.History(ctx, c.by, memory.HistoryAsk{
			ObjectID: in.ObjectID, FactID: in.FactID, Entity: in.Entity,
			AsOf: time.Time(in.AsOf), BelievedAt: time.Time(in.BelievedAt), Scope: c.at,
		})
		if err != nil {
			return historyOut{}, err
		}
		out := historyOutOf(versions)
		return out, c.addUses(ctx, &out)
	})
}

type historyIn struct {
	ObjectID   string `json:"object_id,omitempty"`
	FactID     string `json:"fact_id,omitempty" for:"harness"`
	Entity     string `json:"entity,omitempty" holds:"text"`
	AsOf       Time   `json:"as_of,omitzero" for:"harness"`
	BelievedAt Time   `json:"believed_at,omitzero" for:"harness"`
	place
}

type historyOut struct {
	Versions []versionOut `json:"versions"`
}

// useOut is the use of an object for the caller, and the points that it adds to its rank.
type useOut struct {
	Shown     int     `json:"shown,omitempty"`
	Confirmed int     `json:"confirmed,omitempty"`
	Corrected int     `json:"corrected,omitempty"`
	Forgotten int     `json:"forgotten,omitempty"`
	Last      Time    `json:"last"`
	Rank      float64 `json:"rank"`
}

// addUses notes with the last version of each object what came of it for the caller.
func (c call) addUses(ctx context.Context, o *historyOut) error {
	last := map[string]int{} // place by object
	for i, v := range o.Versions {
		last[v.ObjectID] = i
	}
	known, err := c.Memory.Experiences(ctx, c.by, slices.Collect(maps.Keys(last)))
	for id, e := range known {
		o.Versions[last[id]].Use = &useOut{e.Shown, e.Confirmed, e.Corrected, e.Forgotten, Time(e.Last), ctxmcp.Round(c.Memory.RankOf(e))}
	}
	return err
}

// lines implements told.
func (o historyOut) lines() string {
	var ids []string
	for _, v := range o.Versions {
		ids = append(ids, v.ObjectID, v.SupersessionLink, v.MaybeOutdatedBy)
	}
	short := ctxmcp.ShortIDs(ids)
	all := []string{"each version: when it was held, and for which time it says what it says"}
	for _, v := range o.Versions {
		all = append(all, v.line(short))
	}
	if len(o.Versions) == 0 {
		all[0] = "there was no version then"
	}
	return strings.Join(all, "\n")
}

// line returns a version as a line: "[5e6f70] v2 held 2026-03-01 to now, true from 2026-03-01 on: We deploy on Fridays."
func (v versionOut) line(short map[string]string) string {
	line := fmt.Sprintf("[%s] v%d held %s", short[v.ObjectID], v.Version, span(v.TxStart, v.TxEnd, "now"))
	line += ", true " + span(v.ValidFrom, v.ValidUntil, "further notice")
	if v.ContradictionStatus != ctxmcp.Clean {
		line += ", " + string(v.ContradictionStatus)
	}
	if v.EndedBy != "" {
		line += ", ended: " + containment.OneLine(v.EndedBy)
	}
	if v.SupersessionLink != "" {
		line += ", replaced by [" + short[v.SupersessionLink] + "]"
	}
	if v.MaybeOutdatedBy != "" {
		line += ", maybe outdated by [" + short[v.MaybeOutdatedBy] + "]"
	}
	line += ": " + brief.Indented(v.Content)
	if v.Claim != "" {
		line += " (" + containment.OneLine(v.Claim) + ")"
	}
	return line
}

// span returns the days of an interval; open stands for an end that has not come.
func span(from, to Time, open string) string {
	if !to.IsZero() {
		open = dateOf(to)
	}
	return dateOf(from) + " to " + open
}

func dateOf(t Time) string { return time.Time(t).UTC().Format(time.DateOnly) }

type versionOut struct {
	ObjectID            string                     `json:"object_id"`
	FactID              string                     `json:"fact_id"`
	Version             int                        `json:"version"`
	Content             string                     `json:"content"`
	ValidFrom           Time                       `json:"valid_from"`
	ValidUntil          Time                       `json:"valid_until,omitzero"`
	TxStart             Time                       `json:"tx_start"`
	TxEnd               Time                       `json:"tx_end,omitzero"`
	ContradictionStatus ctxmcp.ContradictionStatus `json:"contradiction_status"`
	SupersessionLink    string                     `json:"supersession_link,omitempty"`
	SourceOrigin        string                     `json:"source_origin"`
	EndedBy             string                     `json:"ended_by,omitempty"`
	Claim               string                     `json:"claim,omitempty"`
	ClaimExtracted      bool                       `json:"claim_extracted,omitempty"`
	MaybeOutdatedBy     string                     `json:"maybe_outdated_by,omitempty"`
	Use                 *useOut                    `json:"use,omitempty"`
}

func historyOutOf(versions []ctxmcp.ContextObject) historyOut {
	out := historyOut{Versions: []versionOut{}}
	for _, o := range versions {
		v := versionOut{
			ObjectID: o.ObjectID, FactID: o.FactID, Version: o.Version, Content: o.Content,
			ValidFrom: Time(o.ValidFrom), ValidUntil: Time(o.ValidUntil), TxStart: Time(o.TxStart),
			TxEnd: Time(o.TxEnd), ContradictionStatus: o.StatusNow(), SourceOrigin: o.SourceOrigin,
			SupersessionLink: o.LinkNow(), Claim: o.NormalizedClaim, ClaimExtracted: o.ClaimExtracted, MaybeOutdatedBy: o.MaybeOutdatedBy,
		}
		if o.Closing != nil {
			v.EndedBy = o.Closing.Reason
		}
		out.Versions = append(out.Versions, v)
	}
	return out
}
