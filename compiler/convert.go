package compiler

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/fieldname"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// convert says everything once, and puts it on the rung of the ladder that its scope, authority and relevance have earned,
// through templates and without a model. It fills the fields that the task asks for from claims, and leaves the rest unknown.
func convert(s *state) error {
	s.giveWay()
	for _, it := range s.live() {
		it.contained = isData(it)
	}
	s.traceAddresses()
	for _, it := range s.live() {
		s.climb(it)
	}
	s.deduplicate()
	s.settleDoubts()
	for _, it := range s.live() {
		it.forms = s.formsOf(it)
	}
	s.fillFields()
	return nil
}

// isData reports whether an item is shown as data only: everything that was retrieved, that was learned from a web domain, and that
// nobody with a say has vouched for and that speaks to a model.
func isData(it *item) bool {
	switch it.Kind {
	case KindToolResult, KindDocument, KindArtifact:
		return true
	case KindTaskState:
		return speaks(it.Warnings)
	}
	o := it.Object
	return o.Authority >= ctxmcp.AuthorityRetrieved || len(o.Domains) > 0 ||
		o.Authority >= ctxmcp.AuthorityInferred && speaks(it.Warnings)
}

// climb puts an item on its rung.
func (s *state) climb(it *item) {
	switch {
	case it.contained:
		it.rung = 0
		setWhy(it, "data: it never instructs")
		return
	case it.Kind == KindTaskState:
		it.rung = 3
		setWhy(it, "state of the task")
		return
	}
	for rung := min(s.in.Policy.MaxRung, len(ladder)-1); rung > 0; rung-- {
		if why, stands := ladder[rung].earned(s, it); stands {
			it.rung = rung
			setWhy(it, why)
			return
		}
	}
	it.rung = 0
	setWhy(it, "as it was said")
}

// setWhy says why an item stands on its rung.
func setWhy(it *item, why string) {
	if it.capped != "" && !it.contained {
		why += "; it carries no constraint: " + it.capped
	}
	if it.why == "" { // a passage says where it is from
		it.why = why
	}
}

// step of the ladder: the evidence that an item needs to stand on it, and its wording there.
type ladderStep struct {
	name   Rung
	earned func(s *state, it *item) (why string, earned bool)
	say    func(s *state, it *item) string
}

// ladder is the conversion ladder; the number of a rung is its place. init fills it, because what is said on one rung may
// look at others.
var ladder []ladderStep

func init() {
	names := Rungs()
	ladder = []ladderStep{
		{names[0], func(*state, *item) (string, bool) { return "", true }, sayRaw},
		{names[1], func(_ *state, it *item) (string, bool) { return "it makes a claim", !it.Object.Claim.IsZero() }, sayClaim},
		{names[2], func(*state, *item) (string, bool) { return "it holds in the scope of the task", true }, sayScoped},
		{names[3], earnsContext, sayContext},
		{names[4], earnsGuidance, sayGuidance},
		{names[5], earnsConstraint, sayConstraint},
	}
}

// earnsContext: it bears on the task, by its words or because it says so.
func earnsContext(s *state, it *item) (string, bool) {
	switch {
	case it.tier == Critical || it.tier == Important:
		return "it bears on the task: " + string(it.tier), true
	case it.Relevance < s.in.Policy.MinRelevance && it.relation != "":
		return "it goes with what is asked: " + it.relation, true
	case it.tier == Useful || it.tier == Minimal && !it.Standing:
		return fmt.Sprintf("relevance %.2f", it.Relevance), true
	}
	return "", false
}

// earnsGuidance: the type of the task is known and the item is for it, a template says how one follows from the other, and
// who or what it names is decided.
func earnsGuidance(s *state, it *item) (string, bool) {
	task := s.in.Request.TaskType
	if it.capped != "" || task == "" || it.tier == Minimal || it.Object.Authority > ctxmcp.AuthorityInferred {
		return "", false
	}
	if _, known := guidance[it.Object.ObjectType][task]; !known {
		return "", false
	}
	if it.Object.ObjectType == ctxmcp.IdentityFact && it.Object.BehavioralImplication == "" && !background.MatchString(it.text) {
		return "", false
	}
	return fmt.Sprintf("%s for %s on authority %d", it.Object.ObjectType, task, it.Object.Authority), true
}

// sure is the confidence from which what somebody said binds a model.
const sure = 0.5

// earnsConstraint: a rule of those who run the system, or a constraint that the user set, and still surely means.
func earnsConstraint(s *state, it *item) (string, bool) {
	o := it.Object
	if it.capped != "" || o.ContradictionStatus != ctxmcp.Clean {
		return "", false
	}
	if it.standard() && o.ObjectType != ctxmcp.ToolSchema {
		return fmt.Sprintf("rule on authority %d", o.Authority), true
	}
	binding := o.ObjectType == ctxmcp.ActionableConstraint && o.Authority <= ctxmcp.AuthorityUser &&
		o.Confidence(s.heldAt()) >= sure
	return fmt.Sprintf("constraint of the user, confidence %.2f", o.Confidence(s.heldAt())), binding
}

// fillFields gives the fields that no artifact and no result filled the values that claims name, and then those of the conversation; and notes where
// the others are spoken of.
func (s *state) fillFields() {
	s.fields = slices.Clone(s.in.Fields)
	for i := range s.fields {
		f := &s.fields[i]
		if f.Value != nil {
			continue
		}
		if it := s.claimed(f.Name); it != nil {
			f.Value, f.Source = quoted(it.Object.Claim.Value), it.id()
			continue
		}
		name := fieldname.Parse(f.Name)
		f.see(name.In(s.said), "user_message", "the user's message")
		for _, t := range slices.Backward(s.history) {
			for j := range t.forms[0].messages {
				f.see(name.In(spoken(&t.forms[0].messages[j])), "messages", "the conversation")
			}
		}
		f.see(name.In(s.in.Request.SystemPrompt), "system_prompt", "the system prompt")
		for _, it := range s.live() {
			f.see(withoutValue(name.In(it.text)), it.id(), fromBefore)
		}
	}
}

// fromBefore names the memories and the task, where a field is only named.
const fromBefore = "what is known from before"

// see notes how a source speaks of a field. The first value counts, and it is told as data.
func (f *Field) see(s fieldname.Sighting, source, said string) {
	if s.Mention == fieldname.Valued && instructs(s.Value) {
		s.Mention = fieldname.Named // it is shown as data, where it stands, and nowhere else
	}
	switch {
	case f.Value != nil:
	case s.Mention == fieldname.Valued:
		f.Value, f.Source, f.Path = s.Value, source, s.Path
	case s.Mention == fieldname.Named && f.Named == "":
		f.Named = said
	case s.Mention == fieldname.Partly:
		f.Partly = true
	}
}

// instructs reports whether a value speaks to a model.
func instructs(value json.RawMessage) bool {
	warnings, _ := containment.Report(context.Background(), string(value)) // a value is short
	return slices.ContainsFunc(warnings, func(w containment.Warning) bool { return containment.Speaks(w.Kind) })
}

// withoutValue returns the sighting as one of the name alone: a statement holds more than a value.
func withoutValue(s fieldname.Sighting) fieldname.Sighting {
	return fieldname.Sighting{Mention: min(s.Mention, fieldname.Named)}
}

// spoken returns the text of a message, and of the results in it.
func spoken(m *conversation.Message) string {
	texts := []string{saidBy(m)}
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == conversation.Result {
			text := p.Text
			if f, framed := containment.Unframe(text); framed {
				text = f.Text
			}
			if len(m.Parts) == 1 {
				return text
			}
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// claimed returns the item whose claim has the field's name for its predicate: that on the highest authority, then the most
// relevant. What was retrieved fills nothing.
func (s *state) claimed(field string) (best *item) {
	for _, it := range s.live() {
		if it.contained || it.Object.Claim.IsZero() || fieldName(it.Object.Claim.Predicate) != fieldName(field) {
			continue
		}
		if best == nil || it.Object.Authority.Outranks(best.Object.Authority) ||
			it.Object.Authority == best.Object.Authority && it.Relevance > best.Relevance {
			best = it
		}
	}
	return best
}
