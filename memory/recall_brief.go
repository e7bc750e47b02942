package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// The bounds of a brief.
const (
	defaultBrief = 400 // tokens
	mostHeld     = 400 // of the newest memories, out of which one is composed
)

// asksForBrief reports whether the ask wants what bears on the user and the project, and not one answer: it has no question, or
// one that asks for everything. An ask about one topic is a question like any other.
func (ask Ask) asksForBrief(asked ranking.Question) bool {
	r := asked.Request
	return !ask.asksForList(asked) && (!hasWords(ask.Query) || r.Brief && !(r.About && len(r.Topic) > 0))
}

// listWords are the terms of the words by which a question asks for a list, which name no topic, and heldWords those for what is
// held, whatever it is.
var (
	listWords = language.Requests.Row("list").Terms()
	heldWords = language.Requests.Row("sum").Terms()
)

// asksForList reports whether the ask wants what is held, the newest first, and has no topic.
func (ask Ask) asksForList(asked ranking.Question) bool {
	if !hasWords(ask.Query) {
		return ask.Newest || ask.Cursor != "" || len(ask.ObjectTypes) > 0
	}
	topical := slices.ContainsFunc(asked.Request.Topic, func(term string) bool { return !listWords.Has(term) })
	names := len(asked.Request.Types) > 0 || slices.ContainsFunc(asked.Terms, heldWords.Has)
	return asked.Request.List && names && !topical
}

// hasWords reports whether a text has anything to search for: "*" has not.
func hasWords(text string) bool { return len(language.Query(text)) > 0 }

// brief fills the answer with a brief: composed of what is held here, with the topic of the question, if it has one.
func (s *recaller) brief(ctx context.Context, r *Recalled, q Query, asked ranking.Question, ask Ask) error {
	r.Brief = true
	held, warnings, err := s.heldFor(ctx, q, asked, ask)
	if err != nil {
		return err
	}
	r.Warnings = warnings
	held = slices.DeleteFunc(s.fit(r, held, ask), func(m Memory) bool { return emptied(m.Object) })
	if held, err = s.withoutOutdated(ctx, r, q, held); err != nil {
		return err
	}
	var candidates []brief.Candidate
	for _, m := range held {
		candidates = append(candidates, brief.Candidate{Object: m.Object, Relevance: m.Relevance, Bearing: m.Bearing})
	}
	for _, c := range brief.Compose(candidates, brief.Bounds{
		Tokens: ask.MaxTokens - notesRoom(ask.MaxTokens), Most: ask.Limit, Only: partsOf(slices.Concat(asked.Request.Types, asked.Request.Leading)), First: partsOf(asked.Request.Leading),
		Topical: len(asked.Request.Topic) > 0, About: asked.Request.About,
		Price:   func(o ctxmcp.ContextObject) int { return s.price(ask, o) },
		Heading: func(p brief.Part) int { return s.Counter.Count(p.Heading() + "\n") },
	}) {
		m := Memory{Object: c.Object, Relevance: c.Relevance, Part: c.Part, Tokens: s.price(ask, c.Object)}
		r.Memories = append(r.Memories, m)
		r.Tokens += m.Tokens
		r.Best = max(r.Best, m.Relevance)
	}
	if len(r.Memories) > 0 { // an answer without memories counts by itself
		r.Held, err = s.Store.Count(ctx, q)
	}
	return err
}

// emptied reports whether redaction took what an object is there to say, as of "The password is [PASSWORD:REDACTED]": a mark ends it.
func emptied(o ctxmcp.ContextObject) bool {
	text := strings.TrimRight(o.Content, " .!\n\"'`)")
	places := redact.Placeholders(text)
	return len(places) > 0 && places[len(places)-1][1] == len(text)
}

// notesRoom returns the tokens of an answer that are kept for the notes below its memories.
func notesRoom(tokens int) int { return min(30, tokens/8) }

// partsOf returns the parts of a brief that hold the types; none: all.
func partsOf(types []ctxmcp.ObjectType) []brief.Part {
	var parts []brief.Part
	for _, t := range types {
		part := map[ctxmcp.ObjectType]brief.Part{
			ctxmcp.ActionableConstraint: brief.Constraints, ctxmcp.Preference: brief.Preferences,
			ctxmcp.ProjectDecision: brief.Decisions, ctxmcp.IdentityFact: brief.People,
		}[t]
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// heldFor returns the objects that a brief is composed of: those about the topic, those that always hold, and the newest of the rest, best first.
func (s *recaller) heldFor(ctx context.Context, q Query, asked ranking.Question, ask Ask) ([]Memory, []string, error) {
	var all []Memory
	var warnings []string
	var err error
	if len(asked.Request.Topic) > 0 {
		topic := asked.Request.Topic
		ask.Query = asked.Request.Rest
		asked = s.read(ask)
		asked.Terms = topic
		if all, warnings, err = s.search(ctx, q, asked, max(ask.Limit, defaultLimit)); err != nil {
			return nil, nil, err
		}
	}
	known := map[string]bool{}
	for _, m := range all {
		known[m.Object.ObjectID] = true
	}
	standing, newest := q, q
	standing.Types, standing.Newest, standing.Limit = AlwaysOnTypes(), true, mostAlwaysOn
	if len(q.Types) > 0 {
		standing.Types = q.Types
	}
	newest.Newest, newest.Limit = true, mostHeld
	for _, q := range []Query{standing, newest} {
		found, err := s.Store.Find(ctx, q)
		if err != nil {
			return nil, nil, fmt.Errorf("find what is held: %w", err)
		}
		all = slices.Grow(all, len(found))
		for i := range found {
			o := &found[i]
			if !q.Selects(o) { // the store has been wrong: that is a fault, never a leak
				return nil, nil, fmt.Errorf("store returned %s, which the query does not select", o.ObjectID)
			}
			if !known[o.ObjectID] {
				known[o.ObjectID] = true
				all = append(all, Memory{Object: *o})
			}
		}
	}
	return all, warnings, nil
}

// fit leaves out faded objects, those for other tasks, and contradicted ones, and counts them.
func (s *recaller) fit(r *Recalled, held []Memory, ask Ask) []Memory {
	held, contradicted := s.reconciled(held)
	if contradicted > 0 {
		r.Omitted[Contradicted] += contradicted
	}
	return slices.DeleteFunc(held, func(m Memory) bool {
		why := Omission("")
		switch {
		case !m.Object.Archived && m.Object.Faded(cmp.Or(ask.BelievedAt, s.now())):
			why = HasFaded
		case ask.TaskType != "" && !appliesTo(m.Object, ask.TaskType):
			why = OtherTask
		case ask.SaidOnly && m.Object.Authority > ctxmcp.AuthorityUser:
			return true
		}
		if why != "" {
			r.Omitted[why]++
		}
		return why != ""
	})
}

// appliesTo reports whether an object applies to a type of task: one that names none applies to all.
func appliesTo(o ctxmcp.ContextObject, task ctxmcp.TaskType) bool {
	return len(o.ApplicableTaskTypes) == 0 || slices.Contains(o.ApplicableTaskTypes, task)
}

// list fills the answer with a page of the held memories, the newest first.
func (s *recaller) list(ctx context.Context, r *Recalled, q Query, asked ranking.Question, ask Ask) (err error) {
	if len(q.Types) == 0 {
		q.Types = asked.Request.Types
	}
	if r.Held, err = s.Store.Count(ctx, q); err != nil {
		return err
	}
	q.Newest, q.Limit = true, ask.Limit+1
	if ask.Cursor != "" {
		if q.Before, err = parseCursor(ask.Cursor); err != nil {
			return err
		}
	}
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	var held []Memory
	for _, o := range found[:min(len(found), ask.Limit)] {
		if !q.Match(o) { // the store has been wrong: that is a fault, never a leak
			return fmt.Errorf("store returned %s, which the query does not select", o.ObjectID)
		}
		held = append(held, Memory{Object: o})
	}
	if len(found) > ask.Limit {
		r.Next = Cursor(found[ask.Limit-1])
	}
	newer, err := s.newerOf(ctx, q, held)
	if err != nil {
		return err
	}
	for _, m := range s.fit(r, held, ask) {
		m.Object.OutdatedPart = partOutdated(m.Object, newer[m.Object.MaybeOutdatedBy])
		m.Tokens = s.price(ask, m.Object)
		if r.Tokens+m.Tokens > ask.MaxTokens && len(r.Memories) > 0 { // a page has no gaps: the next one begins here
			r.Next = Cursor(r.Memories[len(r.Memories)-1].Object)
			break
		}
		r.Memories = append(r.Memories, m)
		r.Tokens += m.Tokens
	}
	return nil
}

// Cursor returns the cursor of the page behind an object in a list.
func Cursor(o ctxmcp.ContextObject) string {
	return fmt.Sprintf("%d.%d.%s", o.TxStart.UnixMicro(), o.Version, o.ObjectID)
}

func parseCursor(text string) (*Mark, error) {
	bad := ctxmcp.Errorf(ctxmcp.CodeInvalid, "cursor is none of a list").WithHint("pass next_cursor of the page before as it is")
	micros, rest, ok := strings.Cut(text, ".")
	version, id, more := strings.Cut(rest, ".")
	if !ok || !more || id == "" {
		return nil, bad
	}
	at, errAt := strconv.ParseInt(micros, 10, 64)
	n, errN := strconv.Atoi(version)
	if errAt != nil || errN != nil {
		return nil, bad
	}
	return &Mark{TxStart: time.UnixMicro(at).UTC(), Key: ctxmcp.VersionKey{ObjectID: id, Version: n}}, nil
}
