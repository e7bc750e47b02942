package compiler

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// Kept is a compile as its packet has it.
type Kept struct {
	Ref     string
	TraceID string
	Inputs  Inputs
	Output  Output
}

// Kept returns the compile under a trace id or a context_ref, without what the settings hide by now. It returns CodeNotFound for one that does not exist for the
// caller or was made outside of the scope which the call names, CodeInvalid for a packet that is no compile.
func (s *Service) Kept(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, name string) (Kept, error) {
	sealed, err := s.Packets.Named(ctx, by, named, name)
	if err != nil {
		return Kept{}, err
	}
	p := sealed.Packet
	if p.Kind != packets.Compile {
		return Kept{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "that is what a directive brought, and no compile").
			WithHint("name what compile_context returned")
	}
	k := Kept{Ref: sealed.Ref, TraceID: traceID(by, p.Inputs)}
	for _, part := range []*json.RawMessage{&p.Inputs, &p.Output} {
		if *part, err = s.Packets.Shown(ctx, by.Tenant, *part); err != nil {
			return Kept{}, err
		}
	}
	if k.Inputs, err = ReadInputs(p.Inputs); err != nil {
		return Kept{}, err
	}
	k.Inputs = k.Inputs.Dated(p.Created)
	if err := json.Unmarshal(p.Output, &k.Output); err != nil {
		return Kept{}, fmt.Errorf("output of %s: %w", sealed.Ref, err)
	}
	return k, nil
}

// Origin is a line of an output, with its source and rule.
type Origin struct {
	Text string `json:"text"`
	Line
}

// Explain returns the origins of the lines that hold the text.
func (k Kept) Explain(text string) []Origin {
	found := []Origin{}
	wanted := ctxmcp.Normalize(text)
	texts := Texts(k.Output)
	for _, l := range k.Output.Lines {
		if l.Block >= len(texts) {
			continue
		}
		all := strings.Split(texts[l.Block], "\n")
		for n := l.First; n <= min(l.Last, len(all)); n++ {
			if strings.Contains(ctxmcp.Normalize(all[n-1]), wanted) {
				one := l
				one.First, one.Last = n, n
				found = append(found, Origin{all[n-1], one})
			}
		}
	}
	return found
}

// Comparison tells the changes between two compiles, and why.
type Comparison struct {
	With    string   `json:"with"` // context_ref of the other one
	Same    bool     `json:"same"` // the model sees the same texts in the same form
	Request []string `json:"request,omitempty"`
	Tokens  int      `json:"tokens"` // more than in the other one
	Changes []Change `json:"changes"`
}

// Change tells the outcome of one object in both.
type Change struct {
	ObjectID string `json:"object_id"`
	Before   string `json:"before"` // outcome, and the reason or the rung
	After    string `json:"after"`
	Why      string `json:"why"`
}

// absent is the outcome of an object that was no candidate.
const absent = "absent"

// Compare returns the changes from an earlier compile to this one.
func (k Kept) Compare(earlier Kept) Comparison {
	c := Comparison{With: earlier.Ref, Tokens: k.Output.Tokens - earlier.Output.Tokens, Changes: []Change{},
		Request: requestChanges(earlier.Inputs, k.Inputs)}
	c.Same = slices.Equal(Texts(k.Output), Texts(earlier.Output)) && k.Output.Format == earlier.Output.Format
	before, after := byObject(earlier.Output.Trace), byObject(k.Output.Trace)
	for _, id := range slices.Sorted(maps.Keys(union(before, after))) {
		was, is := before[id], after[id]
		if was.describe() == is.describe() && was.version() == is.version() {
			continue
		}
		c.Changes = append(c.Changes, Change{id, was.describe(), is.describe(), why(was, is, k.candidate(id), earlier.Inputs.Instant)})
	}
	return c
}

// outcome is the row of an object, or of none.
type outcome struct {
	row  Row
	held bool
}

// byObject returns the outcome of every object: that of the version that is compiled, if one is, else of the latest.
func byObject(t Trace) map[string]outcome {
	all := map[string]outcome{}
	rows := t.Fates()
	for _, pin := range slices.SortedFunc(maps.Keys(rows), func(a, b Pin) int {
		return cmp.Or(cmp.Compare(a.ObjectID, b.ObjectID), cmp.Compare(a.Version, b.Version))
	}) {
		if held := all[pin.ObjectID]; held.row.Compiled == nil {
			all[pin.ObjectID] = outcome{rows[pin], true}
		}
	}
	return all
}

func union[V any](a, b map[string]V) map[string]bool {
	keys := map[string]bool{}
	for k := range a {
		keys[k] = true
	}
	for k := range b {
		keys[k] = true
	}
	return keys
}

func (f outcome) describe() string {
	switch {
	case !f.held:
		return absent
	case f.row.Compiled != nil:
		return "compiled as " + string(f.row.Compiled.CompiledAs) + ", " + f.row.Compiled.Form
	case f.row.Omitted != nil:
		return "omitted: " + string(f.row.Omitted.Reason)
	default:
		return "quarantined: " + string(f.row.Quarantined.Reason)
	}
}

func (f outcome) version() int {
	switch {
	case !f.held:
		return 0
	case f.row.Compiled != nil:
		return f.row.Compiled.Version
	case f.row.Omitted != nil:
		return f.row.Omitted.Version
	default:
		return f.row.Quarantined.Version
	}
}

func (f outcome) kind() Kind {
	switch {
	case f.row.Compiled != nil:
		return f.row.Compiled.Kind
	case f.row.Omitted != nil:
		return f.row.Omitted.Kind
	case f.row.Quarantined != nil:
		return f.row.Quarantined.Kind
	}
	return ""
}

// why names the cause of the difference in words.
func why(was, is outcome, now *Candidate, earlier time.Time) string {
	switch {
	case !was.held && now != nil && now.Object.TxStart.After(earlier):
		return "new since then"
	case !was.held:
		return "the earlier question did not find it"
	case !is.held && was.kind() != KindMemory:
		return "the request does not bring it"
	case !is.held:
		return "it is no longer found: the question is another one, or it has ended"
	case is.version() > was.version():
		return fmt.Sprintf("version %d took the place of version %d", is.version(), was.version())
	case is.row.Omitted != nil:
		return because(*is.row.Omitted)
	case is.row.Quarantined != nil:
		return "it contradicts " + cmp.Or(is.row.Quarantined.By, "a claim of equal standing")
	case was.row.Omitted != nil:
		return "no longer " + string(was.row.Omitted.Reason)
	case was.row.Quarantined != nil:
		return "its conflict is settled"
	default:
		return is.row.Compiled.Why
	}
}

func because(o Omitted) string {
	text := "stage " + o.Stage + ": " + string(o.Reason)
	if o.By != "" {
		text += ", by " + o.By
	}
	if o.Detail != "" {
		text += ", " + o.Detail
	}
	return text
}

func (k Kept) candidate(id string) *Candidate {
	for i, c := range k.Inputs.Candidates {
		if c.Object.ObjectID == id {
			return &k.Inputs.Candidates[i]
		}
	}
	return nil
}

// asked returns the instant that a request named; "" where it was the instant of the compile.
func asked(in Inputs) string {
	if in.Request.AsOf.Equal(in.Instant) {
		return ""
	}
	return in.Request.AsOf.String()
}

// requestChanges names the parts of the two requests that differ.
func requestChanges(a, b Inputs) (all []string) {
	for _, f := range []struct{ name, was, is string }{
		{"user_message", a.Request.UserMessage, b.Request.UserMessage}, {"system_prompt", a.Request.SystemPrompt, b.Request.SystemPrompt},
		{"memory_query", a.Request.Query, b.Request.Query}, {"task_type", string(a.Request.TaskType), string(b.Request.TaskType)},
		{"task_id", a.Request.TaskID, b.Request.TaskID}, {"scope", a.Request.Scope.Namespace(), b.Request.Scope.Namespace()},
		{"format", string(a.Request.Format), string(b.Request.Format)}, {"model", a.Request.Model, b.Request.Model},
		{"max_tokens", fmt.Sprint(a.Request.MaxTokens), fmt.Sprint(b.Request.MaxTokens)},
		{"as_of", asked(a), asked(b)}, {"believed_at", a.Request.BelievedAt.String(), b.Request.BelievedAt.String()},
		{"messages", fmt.Sprint(len(a.Request.Messages)), fmt.Sprint(len(b.Request.Messages))},
		{"policy", a.Policy.Version, b.Policy.Version}, {"caller", a.Caller.User, b.Caller.User},
	} {
		if f.was != f.is {
			all = append(all, f.name)
		}
	}
	return all
}
