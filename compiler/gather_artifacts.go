package compiler

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// The bounds of the artifacts that a context names.
const (
	shelfFrom     = 100 // the newest, by their summaries
	mostNamed     = 3
	leastSpoken   = 0.5 // of a part of the need that a summary must speak of, or of a summary that such a part does
	leastOfNeed   = 2   // words in common
	leastOfWeight = 0.8 // of the parts of the need that count: the turn, its request and what it answers
)

// artifacts adds the names of earlier artifacts that the step speaks of and that nothing else has brought; get_artifact reads them.
func (g *gathering) artifacts() error {
	if g.Shelf == nil {
		return nil
	}
	found, err := g.Shelf.Told(g.ctx, g.by, g.at, shelfFrom)
	if err != nil {
		return err
	}
	brought := map[string]bool{}
	for _, s := range g.sources {
		brought[s.ID] = s.Kind == packets.ArtifactSource || brought[s.ID]
	}
	found = slices.DeleteFunc(found, func(a ctxmcp.Artifact) bool { return brought[a.ID] })
	if len(found) == 0 {
		return nil
	}
	bearings, err := g.spokenOf(found)
	if err != nil {
		return err
	}
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(bearings[b], bearings[a]), artifacts.Compare(found[b], found[a]))
	})
	for _, i := range order[:min(len(order), mostNamed)] {
		if bearings[i] >= leastSpoken {
			g.name(found[i], bearings[i])
		}
	}
	return nil
}

// spokenOf returns how much the need of the step and the summary of each artifact say of each other, in [0, 1].
func (g *gathering) spokenOf(found []ctxmcp.Artifact) ([]float64, error) {
	r := g.in.Request
	needs := []Need{{Text: r.Query, Weight: turnWeight}}
	for _, n := range r.Need {
		if n.Weight >= leastOfWeight && n.From != areaFrom {
			needs = append(needs, n)
		}
	}
	summaries, best := make([]string, len(found)), make([]float64, len(found))
	for i, a := range found {
		summaries[i] = a.Summary
	}
	read := alignable{}
	for _, n := range needs {
		if matters(n.Text) == 0 {
			continue
		}
		of, err := g.Memory.Bearings(g.ctx, n.Text, summaries)
		if err != nil {
			return nil, err
		}
		for i, summary := range summaries {
			if share, words := read.restated(summary, n.Text); words >= leastOfNeed {
				best[i] = max(best[i], share)
			}
			best[i] = max(best[i], of[i])
		}
	}
	return best, nil
}

// name adds the line of an artifact as a candidate.
func (g *gathering) name(a ctxmcp.Artifact, bearing float64) {
	a.Type, a.Summary = g.hide(a.Type), g.hide(a.Summary)
	text := artifacts.Line(a)
	g.in.Candidates = append(g.in.Candidates, Candidate{
		Kind: KindArtifact, Relevance: bearing, Warnings: g.markers(text),
		Object: ctxmcp.ContextObject{
			ObjectID: "artifact:" + a.ID, Version: 1, Content: text, SourceOrigin: a.URI(), SourceAuthority: 0.5, ConfidenceScore: 0.8,
			SourceKind: ctxmcp.Document, Classification: a.Classification, TxStart: a.Created, ValidFrom: a.Created,
		},
	})
	g.sources = append(g.sources, packets.Artifact(a))
}
