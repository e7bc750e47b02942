package compiler

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// guidance says how an object of a type becomes guidance for a type of task: by the line that stands once above all such objects. A type in no
// row stays context: it states facts and demands nothing.
var guidance = map[ctxmcp.ObjectType]map[ctxmcp.TaskType]string{
	ctxmcp.Preference: {
		ctxmcp.CodeGeneration:      "In the code, and in what you say of it:",
		ctxmcp.AnalyticalReporting: "In the report:",
		ctxmcp.DataExtraction:      "In what you extract:",
		ctxmcp.SystemOrchestration: "In the steps that you take:",
	},
	ctxmcp.IdentityFact: {
		ctxmcp.CodeGeneration:      "Write code for this reader, without explaining what they know:",
		ctxmcp.AnalyticalReporting: "Choose depth and terms for this reader:",
		ctxmcp.SystemOrchestration: "Report and ask in terms that fit this person:",
	},
	ctxmcp.ProjectDecision: {
		ctxmcp.CodeGeneration:      "Write code that keeps to these decisions:",
		ctxmcp.AnalyticalReporting: "Take these decisions as given:",
		ctxmcp.DataExtraction:      "Read the sources by these decisions:",
		ctxmcp.SystemOrchestration: "Do nothing that goes against these decisions:",
	},
	ctxmcp.ActionableConstraint: {
		ctxmcp.CodeGeneration:      "The code is expected to keep to this:",
		ctxmcp.AnalyticalReporting: "The report is expected to keep to this:",
		ctxmcp.DataExtraction:      "What you extract is expected to keep to this:",
		ctxmcp.SystemOrchestration: "The steps are expected to keep to this:",
	},
}

// unconfirmed stands before guidance that nobody with a say has confirmed.
const unconfirmed = "Likely, not confirmed: "

// lead returns the line that stands above the guidance of an item; "" for what is no guidance.
func (s *state) lead(it *item) string {
	if it.section != guidanceSection {
		return ""
	}
	return guidance[it.Object.ObjectType][s.in.Request.TaskType]
}

// background matches what somebody says of what they know or do: the facts about a person from which guidance follows.
var background = language.NewPattern(`(?i)\b(senior|junior|expert|experienced?|beginner|novice|engineer|developer|programmer|architect|` +
	`scientist|analyst|researcher|designer|manager|student|teacher|speciali[sz]\w*|years?|background|degree|certified|fluent|new to|lead)\b`)

// concluded stands on words that an agent said of its own accord, beside those of people.
const concluded = "by an agent"

func sayRaw(s *state, it *item) string { return s.dated(it) + `"` + containment.OneLine(it.text) + `"` }

func sayClaim(_ *state, it *item) string {
	c := it.Object.Claim
	return containment.OneLine(c.Subject) + ": " + containment.OneLine(c.Predicate) + " = " + containment.OneLine(c.Value)
}

func sayScoped(s *state, it *item) string {
	return "(" + it.Object.Home().Namespace() + ") " + s.dated(it) + containment.OneLine(it.text)
}

func sayContext(s *state, it *item) string {
	text := s.dated(it) + containment.OneLine(it.text)
	if why := it.Object.WhyItMatters; why != "" && it.attached == "" {
		text += " (" + containment.OneLine(why) + ")"
	}
	return text
}

// sayGuidance says when it was said: of two that do not agree, a reader sees which is the newer.
func sayGuidance(s *state, it *item) string {
	text := implied(it)
	if it.Object.Authority > ctxmcp.AuthorityUser {
		text = unconfirmed + text
	}
	if at := s.saidAt(it); at != "" {
		text += " (" + at + ")"
	}
	return text
}

func sayConstraint(_ *state, it *item) string { return implied(it) }

// implied returns what follows from an item, in the words that came with it.
func implied(it *item) string {
	if text := it.Object.BehavioralImplication; text != "" {
		return containment.OneLine(text)
	}
	return containment.OneLine(it.text)
}

// dated returns when something was said and by whom, as far as that is known: "2026-06-06 Caroline: ". A conclusion of an agent is one.
func (s *state) dated(it *item) string {
	var parts []string
	if at := s.saidAt(it); at != "" {
		parts = append(parts, at)
	}
	if it.Object.Author != "" {
		parts = append(parts, containment.OneLine(it.Object.Author))
	} else if s.in.labelled() && it.Kind == KindMemory && it.Object.SourceKind == ctxmcp.Inference {
		parts = append(parts, concluded)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " ") + ": "
}

// saidAt returns the day on which an item was said, with its doubt; "" if the day is not known. The doubt names the day of the later statement
// alone, but in older forms of inputs, which told the doubt of that one too.
func (s *state) saidAt(it *item) string {
	day := dayOf(it)
	if day == "" || it.doubt == nil {
		return day
	}
	since := dayOf(it.doubt)
	if !s.in.labelled() {
		since = s.saidAt(it.doubt)
	}
	if since != "" {
		return day + " (" + maybeOutdated + " since " + since + ")"
	}
	return day + " (" + maybeOutdated + ")"
}

// dayOf returns the day on which an item was said, "" if that is not known.
func dayOf(it *item) string {
	at := it.Object.ObservedAt
	if at.IsZero() {
		at = it.Object.ValidFrom
	}
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.DateOnly)
}

// maybeOutdated stands on a statement that a later one may have left behind.
const maybeOutdated = "maybe outdated"

// fieldName returns the name of a field, or of a predicate, for comparison.
func fieldName(name string) string { return strings.ReplaceAll(ctxmcp.Normalize(name), " ", "_") }

// quoted returns text as JSON.
func quoted(text string) json.RawMessage {
	raw, err := ijson.Compact(text)
	if err != nil { // a string
		panic(err)
	}
	return raw
}
