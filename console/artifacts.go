package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// artifactsPage is a list of artifacts.
type artifactsPage struct {
	Rows []ctxmcp.Artifact `json:"artifacts"`
	Page string            `json:"-"`
	Next string            `json:"next,omitempty"`
}

func (artifactsPage) title() string { return "Artifacts" }

// artifacts answers with a page of the list.
func (c *Console) artifacts(v visit) (any, error) {
	behind, err := markIn(v.URL.Query())
	if err != nil {
		return nil, err
	}
	found, err := c.o.Artifacts.List(v.Context(), v.by, behind, pageRows+1)
	if err != nil {
		return nil, err
	}
	p := artifactsPage{Rows: found}
	if len(found) > pageRows {
		p.Rows = found[:pageRows]
		p.Next = markText(artifacts.MarkOf(p.Rows[pageRows-1]))
		p.Page = Base + "artifacts?behind=" + url.QueryEscape(p.Next)
	}
	return p, nil
}

// artifactPage is a stretch of one artifact.
type artifactPage struct {
	Artifact ctxmcp.Artifact `json:"artifact"`
	Place    string          `json:"place"`
	Pattern  string          `json:"pattern,omitempty"`
	Lines    []artifactLine  `json:"-"`
	Content  string          `json:"content"`
	Total    int             `json:"total_lines"`
	From     int64           `json:"offset"`
	Page     string          `json:"-"`
	View     string          `json:"-"` // text: as it is
	Tree     *treeNode       `json:"-"`
	Table    *sheet          `json:"-"`
	Log      []logLine       `json:"-"`
	Here     string          `json:"-"`
}

func (p artifactPage) title() string {
	return ctxmcp.Clip(cmp.Or(p.Artifact.Summary, p.Artifact.ID), 60)
}

// artifactLine is a line as the page shows it: its number, 0 for one that is not counted, and how it is marked.
type artifactLine struct {
	Number int64
	Mark   string // added, removed, error or nothing
	Text   string
}

// artifactTokens bounds a stretch of an artifact on a page.
const artifactTokens = 12_000

// artifact answers with a stretch of one artifact, or with the lines of it that match a pattern.
func (c *Console) artifact(v visit) (any, error) {
	found, err := c.o.Artifacts.Owned(v.Context(), v.by, v.id)
	if err != nil {
		return nil, err
	}
	ask := artifacts.Ask{ID: found.ID, MaxTokens: artifactTokens, Pattern: v.URL.Query().Get("pattern"), ContextLines: 2}
	if ask.Pattern == "" {
		ask.ContextLines = 0
	}
	if from := v.URL.Query().Get("offset"); from != "" {
		if ask.Offset, err = strconv.ParseInt(from, 10, 64); err != nil {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "offset is no number").WithHint("follow the link to the next part")
		}
	}
	slice, err := c.o.Artifacts.Read(v.Context(), v.by, found.Home, ask)
	if err != nil {
		return nil, err
	}
	p := artifactPage{Artifact: found, Place: placeOf(found.Home), Pattern: ask.Pattern, Content: slice.Content, Total: int(slice.TotalLines), From: slice.Range.Start}
	whole := slice.Range.Start == 0 && slice.NextOffset == nil && ask.Pattern == ""
	p.View, p.Here = v.URL.Query().Get("view"), Base+"artifacts/"+url.PathEscape(found.ID)
	p.setOut(found, slice, whole)
	if slice.NextOffset != nil {
		next := url.Values{"offset": {strconv.FormatInt(*slice.NextOffset, 10)}}
		if ask.Pattern != "" {
			next.Set("pattern", ask.Pattern)
		}
		p.Page = Base + "artifacts/" + url.PathEscape(found.ID) + "?" + next.Encode()
	}
	return p, nil
}

// linesOf cuts a stretch into lines. A whole JSON value is set out; the lines of a diff and of errors are marked.
func linesOf(a ctxmcp.Artifact, s artifacts.Slice, whole bool) []artifactLine {
	if s.Encoding != "" {
		return []artifactLine{{Text: s.Content}}
	}
	text, number := s.Content, s.Range.FirstLine
	var set bytes.Buffer
	if whole && strings.Contains(a.MediaType, "json") && json.Indent(&set, []byte(text), "", "  ") == nil {
		text, number = set.String(), 0
	}
	isDiff := strings.Contains(a.MediaType, "diff") || strings.HasPrefix(text, "diff --git ")
	var all []artifactLine
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		all = append(all, artifactLine{number, lineMark(line, isDiff), line})
		if number > 0 {
			number++
		}
	}
	return all
}

func lineMark(line string, isDiff bool) string {
	switch {
	case isDiff && strings.HasPrefix(line, "+"):
		return "added"
	case isDiff && strings.HasPrefix(line, "-"):
		return "removed"
	case !isDiff && (strings.Contains(line, "ERROR") || strings.Contains(line, "FATAL")):
		return "error"
	}
	return ""
}
