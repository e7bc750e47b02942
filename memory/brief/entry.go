package brief

import (
	"fmt"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
)

// Entry returns a memory as a reader gets it, under the short form of its id: "[5e6f70] 2026-11-22 project: We deploy on
// Thursdays." What is not as it mostly is stands before the colon; further lines of the content are indented.
func Entry(short string, o ctxmcp.ContextObject) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] %s %s: %s", short, ToldAt(o).UTC().Format(time.DateOnly), strings.Join(standing(o), ", "), Indented(o.Content))
	if !o.Claim.IsZero() {
		fmt.Fprintf(&b, " (%s)", containment.OneLine(o.Claim.String()))
	}
	if o.WhyItMatters != "" {
		fmt.Fprintf(&b, " (matters: %s)", containment.OneLine(o.WhyItMatters))
	}
	if o.UpdatePath != "" {
		fmt.Fprintf(&b, " (see %s)", containment.OneLine(o.UpdatePath))
	}
	return b.String()
}

// ToldAt returns when an object was said: when it was observed, else when it began to be held. A version that was written when the thing was over was
// said before, when that began.
func ToldAt(o ctxmcp.ContextObject) time.Time {
	switch {
	case !o.ObservedAt.IsZero():
		return o.ObservedAt
	case !o.ValidUntil.IsZero() && !o.TxStart.Before(o.ValidUntil) && o.ValidFrom.Before(o.TxStart) && !o.ValidFrom.IsZero():
		return o.ValidFrom
	}
	return o.TxStart
}

// standing says where an object holds, and then the facts that a reader must know before its words: who said it, if it was not the
// user, for how long it holds, and whether it is contested.
func standing(o ctxmcp.ContextObject) []string {
	all := []string{string(o.Layer)}
	add := func(text string, holds bool) {
		if holds {
			all = append(all, text)
		}
	}
	add(containment.OneLine(o.Author), o.Author != "" && o.Author != "user")
	add(source(o), o.Authority > ctxmcp.AuthorityUser)
	add("from "+o.ValidFrom.UTC().Format(time.DateOnly), o.ValidFrom.After(ToldAt(o)))
	add("until "+o.ValidUntil.UTC().Format(time.DateOnly), !o.ValidUntil.IsZero())
	add(string(o.ContradictionStatus), o.ContradictionStatus != ctxmcp.Clean && o.ContradictionStatus != "")
	add("maybe outdated", o.MaybeOutdatedBy != "" && o.OutdatedPart == "")
	add("maybe outdated in part ("+containment.OneLine(o.OutdatedPart)+")", o.MaybeOutdatedBy != "" && o.OutdatedPart != "")
	add("archived", o.Archived)
	add("ended "+o.TxEnd.UTC().Format(time.DateOnly), !o.TxEnd.IsZero())
	return all
}

// sources says where something came from that the user did not say.
var sources = map[ctxmcp.SourceKind]string{
	ctxmcp.ToolOutput: "from a tool", ctxmcp.Document: "from a document", ctxmcp.Web: "from the web",
}

func source(o ctxmcp.ContextObject) string {
	if len(o.Domains) > 0 {
		return "from " + containment.OneLine(strings.Join(o.Domains, " and "))
	}
	if from, ok := sources[o.SourceKind]; ok {
		return from
	}
	return byAgent
}

// byAgent stands on a memory that an agent stored by itself, or without naming a source: it may have been the user's word, and nobody said so.
const byAgent = "noted by an agent"

// Indented returns a text as part of an entry: its first line as it is, and further ones indented, so that none begins like an
// entry. Control characters and characters that nobody sees are left out.
func Indented(text string) string {
	lines := containment.Lines(strings.TrimSpace(text))
	for i, line := range lines {
		lines[i] = strings.TrimRight(containment.OneLine(line), " ")
	}
	return strings.Join(lines, "\n  ")
}
