package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

func getArtifact() Tool {
	return define(definition{
		name: "get_artifact", title: "Get artifact", toolset: ArtifactTools, readOnly: true, idempotent: true, heavy: when(getArtifactIn.searches),
	},
		func(ctx context.Context, c call, in getArtifactIn) (getArtifactOut, error) {
			s, err := c.Artifacts.Read(ctx, c.by, c.at, artifacts.Ask{
				ID: in.ArtifactID, Offset: in.Offset, Limit: in.Limit, Lines: in.Lines, Pattern: in.Pattern,
				ContextLines: in.ContextLines, Path: in.Path, MaxTokens: in.MaxTokens,
			})
			out := sliceOut(s)
			out.sought = in.Pattern != ""
			return out, err
		})
}

type getArtifactIn struct {
	ArtifactID   string `json:"artifact_id"`
	Offset       int64  `json:"offset,omitempty"`
	Limit        int64  `json:"limit,omitempty" for:"harness"`
	Lines        string `json:"lines,omitempty"`
	Pattern      string `json:"pattern,omitempty" holds:"text"`
	ContextLines int    `json:"context_lines,omitempty" for:"harness"`
	Path         string `json:"path,omitempty"`
	MaxTokens    int    `json:"max_tokens,omitempty" jsonschema:"minimum=1,maximum=1000000"`
	place
}

// searches reports whether the whole artifact is looked through, not one part of it.
func (in getArtifactIn) searches() bool { return in.Pattern != "" || in.Path != "" || in.Lines != "" }

type getArtifactOut struct {
	ArtifactID string   `json:"artifact_id"`
	MediaType  string   `json:"media_type"`
	SizeBytes  int64    `json:"size_bytes"`
	Content    string   `json:"content"`
	Encoding   string   `json:"encoding,omitempty"`
	Range      rangeOut `json:"range"`
	TotalLines int64    `json:"total_lines,omitempty"`
	Matches    []int64  `json:"matches,omitempty"` // numbers of lines
	NextOffset *int64   `json:"next_offset,omitempty"`
	Tokens     int      `json:"tokens"`
	Counter    string   `json:"counter"`

	sought bool // a pattern was given
}

// lines implements told.
func (o getArtifactOut) lines() string {
	head := fmt.Sprintf("%s, %s of %d bytes", o.ArtifactID, o.MediaType, o.SizeBytes)
	if first, ok := o.Range["first_line"]; ok {
		head += fmt.Sprintf(", lines %d-%d", first, o.Range["last_line"])
	} else {
		head += fmt.Sprintf(", bytes %d-%d", o.Range["start"], o.Range["end"])
	}
	if o.TotalLines > 0 {
		head += fmt.Sprintf(" of %d", o.TotalLines)
	}
	if len(o.Matches) > 0 {
		head += ", matches in lines " + strings.Trim(fmt.Sprint(o.Matches), "[]")
	} else if o.sought {
		head += ", no match"
	}
	if o.NextOffset != nil {
		head += fmt.Sprintf(", go on with offset %d", *o.NextOffset)
	}
	if o.Encoding != "" {
		head += ", in " + o.Encoding
	}
	return head + "\n" + o.Content
}

// rangeOut is the place of the content: start and end in bytes, first_line and last_line. As a map its schema is short.
type rangeOut map[string]int64

func sliceOut(s artifacts.Slice) getArtifactOut {
	out := getArtifactOut{
		ArtifactID: s.Artifact.ID, MediaType: s.Artifact.MediaType, SizeBytes: s.Artifact.Size, Content: s.Content,
		Encoding: s.Encoding, Range: rangeOut{"start": s.Range.Start, "end": s.Range.End}, TotalLines: s.TotalLines, NextOffset: s.NextOffset, Tokens: s.Tokens,
		Counter: s.Counter,
	}
	if s.Range.FirstLine > 0 {
		out.Range["first_line"], out.Range["last_line"] = s.Range.FirstLine, s.Range.LastLine
	}
	for _, m := range s.Matches {
		out.Matches = append(out.Matches, m.Line)
	}
	return out
}

// artifactIDs returns the ids of artifacts that are named by their ids or by their URIs.
func artifactIDs(names []string) []string {
	ids := slices.Clone(names)
	for i, name := range ids {
		ids[i] = ctxmcp.ArtifactID(name)
	}
	return ids
}
