package artifacts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
)

const (
	mostTold    = 160    // characters of a description that the content gives
	toldColumns = 8      // names of columns or members that it has
	toldTitle   = 80     // characters of a heading, or of a first line
	readTitle   = 20_000 // bytes that are looked through for a heading
)

// told returns one line about a content that came without a summary: its kind and size, with its columns, members, heading or first line. A text
// that speaks to a model gives none of its words.
func told(content, mediaType string, members []string) string {
	if content == "" || mediaType == Octets {
		return ""
	}
	lines := strings.Count(strings.TrimSuffix(content, "\n"), "\n") + 1
	size, words := fmt.Sprintf("text of %d lines", lines), titleOf(content)
	if lines == 1 {
		size = "text of one line"
	}
	switch columns := columnsOf(content); {
	case mediaType == JSON:
		size, words = "JSON", listed(members)
	case mediaType == JSONLines:
		size, words = fmt.Sprintf("%d lines of JSON", lines), listed(members)
	case len(columns) > 0:
		size, words = fmt.Sprintf("table of %d lines", lines), listed(columns)
	}
	words = containment.OneLine(ctxmcp.Clip(words, mostTold))
	if words == "" || len(containment.Orders(words)) > 0 {
		return size
	}
	return size + ": " + words
}

// toldSummary is how many characters of a summary the line of an artifact has.
const toldSummary = 120

// Line returns the line that names an artifact for a model, and the tool that reads it.
func Line(a ctxmcp.Artifact) string {
	size := fmt.Sprintf("%d bytes", a.Size)
	if a.Size >= 1024 {
		size = fmt.Sprintf("%.1f KB", float64(a.Size)/1024)
	}
	return fmt.Sprintf("artifact %s, %s, %s, get_artifact artifact_id=%s: %s", containment.OneLine(a.Type), size, a.Created.UTC().Format(time.DateOnly), a.ID, OneSummary(a))
}

// OneSummary returns the summary of an artifact as a line of bounded length.
func OneSummary(a ctxmcp.Artifact) string {
	return ctxmcp.Clip(containment.OneLine(a.Summary), toldSummary)
}

// Told returns the newest artifacts that have a summary and that the caller may see from at, looked for among so many: those that somebody put, and none
// that stand for a part of a conversation.
func (s *Service) Told(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, most int) ([]ctxmcp.Artifact, error) {
	q, err := s.Visible(ctx, by, at)
	if err != nil {
		return nil, err
	}
	q.Newest, q.Limit = true, most
	found, err := s.Select(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find artifacts: %w", err)
	}
	return slices.DeleteFunc(found, func(a ctxmcp.Artifact) bool {
		return a.Summary == "" || a.Type == "conversation" || slices.Contains(movedOut, a.Type)
	}), nil
}

// listed names the first of several things.
func listed(names []string) string {
	if len(names) > toldColumns {
		return strings.Join(names[:toldColumns], ", ") + fmt.Sprintf(" and %d more", len(names)-toldColumns)
	}
	return strings.Join(names, ", ")
}

// columnsOf returns the names of the columns of a table; none where the first three lines do not have equally many.
func columnsOf(content string) []string {
	var first []string
	for line := range strings.Lines(content) {
		if first = append(first, strings.TrimRight(line, "\r\n")); len(first) == 3 {
			break
		}
	}
	if len(first) < 2 {
		return nil
	}
	for _, sign := range []string{"\t", ",", ";"} {
		columns := strings.Split(first[0], sign)
		if len(columns) > 1 && len(columns) == len(strings.Split(first[1], sign)) && len(columns) == len(strings.Split(first[len(first)-1], sign)) &&
			!strings.Contains(first[0], sign+" ") {
			return columns
		}
	}
	return nil
}

// titleOf returns the first heading of a text in Markdown, the title of a page, or else the first line.
func titleOf(content string) string {
	content = ctxmcp.Cut(content, readTitle)
	found := ""
	for line := range strings.Lines(content) {
		said := strings.TrimSpace(line)
		if heading := strings.TrimLeft(said, "#"); len(heading) < len(said) && strings.HasPrefix(heading, " ") {
			return ctxmcp.Clip(strings.TrimSpace(heading), toldTitle)
		}
		if found == "" {
			found = said
		}
	}
	if _, page, within := strings.Cut(content, "<title>"); within {
		if name, _, closed := strings.Cut(page, "</title>"); closed {
			found = strings.TrimSpace(name)
		}
	}
	return ctxmcp.Clip(found, toldTitle)
}
