package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func forget() Tool {
	return define(definition{
		name: "forget", title: "Forget", toolset: MemoryTools, destructive: true,
		terms: schema.Vocabulary(schema.Terms{}, memory.Modes()),
	}, func(ctx context.Context, c call, in forgetIn) (forgetOut, error) {
		ids := in.ObjectIDs
		if in.ObjectID != "" {
			ids = append(ids, in.ObjectID)
		}
		switch {
		case len(ids) > 0 && in.Query != "":
			return forgetOut{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "query and ids exclude each other").
				WithHint("a query brings candidates; then forget those of them that are meant, by object_ids")
		case len(ids) > 0:
			return c.forgotten(ctx, ids, in)
		case in.Query == "":
			return forgetOut{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "nothing is named").WithHint("give object_id, object_ids, or query to find them")
		default:
			return c.forgetByWords(ctx, in)
		}
	})
}

type forgetIn struct {
	ObjectID  string      `json:"object_id,omitempty" for:"harness"`
	ObjectIDs []string    `json:"object_ids,omitempty"`
	Query     string      `json:"query,omitempty" holds:"text"`
	Mode      memory.Mode `json:"mode,omitempty"`
	Reason    string      `json:"reason,omitempty" holds:"text"`
	place
}

type forgetOut struct {
	ObjectID   string      `json:"object_id,omitempty"` // the first of those that have ended
	Mode       memory.Mode `json:"mode,omitempty"`
	RetiredAt  Time        `json:"retired_at,omitzero"`
	Candidates []memoryOut `json:"candidates,omitempty"`

	text string
}

func (o forgetOut) lines() string { return o.text }

// endings says what became of what was forgotten.
var endings = map[memory.Mode]string{
	memory.Retire: "no longer recalled; review with action restore takes it back", memory.Archive: "in the archive", memory.Erase: "erased for good",
}

// forgotten ends the objects with the ids, all of them or none.
func (c call) forgotten(ctx context.Context, ids []string, in forgetIn) (forgetOut, error) {
	all, err := c.Memory.ForgetAll(ctx, c.by, ids, in.Mode, cmp.Or(strings.TrimSpace(in.Reason), unsaidReason))
	if err != nil {
		return forgetOut{}, err
	}
	out := forgetOut{ObjectID: all[0].ObjectID, Mode: all[0].Mode, RetiredAt: Time(all[0].RetiredAt)}
	var said []string
	for _, f := range all {
		said = append(said, fmt.Sprintf("[%s] is %s", ctxmcp.ShortID(f.ObjectID), endings[f.Mode]))
	}
	if strings.TrimSpace(in.Reason) == "" {
		said = append(said, "the audit trail has as the reason: "+unsaidReason)
	}
	out.text = strings.Join(said, "\n")
	return out, nil
}

// unsaidReason is the reason of a call that gives none.
const unsaidReason = "none was given"

// allOfThem is the choice to forget every candidate, and chosenReason the reason where the caller gave none.
const (
	allOfThem    = "all"
	chosenReason = "the user chose it among what a query found"
)

// overHint is the remedy for memories that have ended: no mode but hard_delete does anything to them.
const overHint = "%s ended before and is not recalled; its words are still in the history: mode hard_delete erases them"

// forgetByWords finds what a query describes. It ends nothing but what the user chooses in place, where the client can ask them.
func (c call) forgetByWords(ctx context.Context, in forgetIn) (forgetOut, error) {
	r, err := c.Memory.Meant(ctx, c.by, memory.Ask{Query: in.Query, Scope: c.at, Price: c.priceOfEntry}, in.Mode)
	if err != nil {
		return forgetOut{}, err
	}
	if len(r.Memories) == 0 {
		return forgetOut{text: c.hint(r)}, nil
	}
	heading := "nothing is forgotten yet: show these to the user, then call forget with the object_ids of those that are meant"
	if c.by.Authority <= ctxmcp.AuthorityUser {
		answer, err := c.ask(ctx, whichToForget(r.Memories), nil)
		switch {
		case err != nil:
			return forgetOut{}, err
		case answer.Outcome == ctxmcp.Accepted:
			in.Reason = cmp.Or(in.Reason, chosenReason)
			return c.forgetChosen(ctx, r.Memories, chosenToForget(r.Memories, answer.Value), in)
		case answer.Outcome == ctxmcp.Declined || answer.Outcome == ctxmcp.Dismissed:
			heading = "nothing is forgotten: " + answer.Outcome.Why() + ". Forget one of these only when they ask for it again"
		}
	}
	return c.candidates(r, heading, in.Mode), nil
}

// candidates returns the memories that a query has found, for the user to choose from.
func (c call) candidates(r memory.Recalled, heading string, mode memory.Mode) forgetOut {
	out, short := forgetOut{}, shortIDs(r.Memories)
	said := []string{heading}
	for _, m := range r.Memories {
		out.Candidates = append(out.Candidates, c.memoryOut(m, r.Namespace))
		said = append(said, brief.Entry(short[m.Object.ObjectID], m.Object))
	}
	if over := endedOf(r.Memories, mode); len(over) > 0 {
		said = append(said, fmt.Sprintf(overHint, named(over, short)))
	}
	if r.Held > len(r.Memories) {
		said = append(said, fmt.Sprintf("these are the newest %d of %d: ask again once they are forgotten", len(r.Memories), r.Held))
	}
	out.text = strings.Join(said, "\n")
	return out
}

// endedOf returns the ids of the memories that have ended, as far as a mode ends no such memory.
func endedOf(memories []memory.Memory, mode memory.Mode) (ids []string) {
	for _, m := range memories {
		if m.Ended && mode != memory.Erase {
			ids = append(ids, m.Object.ObjectID)
		}
	}
	return ids
}

// named returns ids as an answer shows them.
func named(ids []string, short map[string]string) string {
	var shown []string
	for _, id := range ids {
		shown = append(shown, "["+short[id]+"]")
	}
	return strings.Join(shown, ", ")
}

// forgetChosen ends those of the memories that the user has chosen, and says which of them had ended before.
func (c call) forgetChosen(ctx context.Context, memories []memory.Memory, chosen []string, in forgetIn) (out forgetOut, err error) {
	over := slices.DeleteFunc(endedOf(memories, in.Mode), func(id string) bool { return !slices.Contains(chosen, id) })
	chosen = slices.DeleteFunc(chosen, func(id string) bool { return slices.Contains(over, id) })
	if len(chosen) > 0 {
		if out, err = c.forgotten(ctx, chosen, in); err != nil {
			return out, err
		}
	}
	if len(over) > 0 {
		out.text = strings.TrimPrefix(out.text+"\n"+fmt.Sprintf(overHint, named(over, shortIDs(memories))), "\n")
	}
	return out, nil
}

// whichToForget asks the user which of the memories they mean.
func whichToForget(memories []memory.Memory) ctxmcp.Question {
	q := ctxmcp.Question{Message: "Which of these is to be forgotten?"}
	for i, m := range memories {
		entry := brief.Entry(ctxmcp.ShortID(m.Object.ObjectID), m.Object)
		q.Message += fmt.Sprintf("\n\n%d. %s", i+1, entry)
		q.Choices = append(q.Choices, ctxmcp.Choice{Value: m.Object.ObjectID, Title: fmt.Sprintf("%d. %s", i+1, ctxmcp.Clip(brief.Indented(m.Object.Content), 80))})
	}
	if len(memories) > 1 {
		q.Choices = append(q.Choices, ctxmcp.Choice{Value: allOfThem, Title: "All of them"})
	}
	return q
}

// chosenToForget returns the ids that a choice stands for.
func chosenToForget(memories []memory.Memory, choice string) []string {
	if choice != allOfThem {
		return []string{choice}
	}
	var ids []string
	for _, m := range memories {
		ids = append(ids, m.Object.ObjectID)
	}
	return ids
}
