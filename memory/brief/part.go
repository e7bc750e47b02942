package brief

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Part is a part of a brief. The words are sent: append only.
type Part string

// The parts, in the order in which they stand.
const (
	Constraints Part = "constraints"
	Preferences Part = "preferences"
	Decisions   Part = "decisions"
	People      Part = "people"
	Lately      Part = "lately"
	Tasks       Part = "tasks"
	Topic       Part = "topic" // what the question is about
)

// section describes the objects of a part, and the share of a brief that it may take before every other part has had its own.
type section struct {
	part    Part
	heading string
	share   float64
	types   []ctxmcp.ObjectType // whatever their words
	shows   *language.Pattern   // how statements of it are made; nil: by their types alone
}

// sections are the parts in the order in which they stand in a brief. A word counts only for objects whose type is the one that
// their source gives them: a type that was named decides.
var sections = [...]section{
	{Constraints, "Constraints", 0.30, // health, and what somebody does not eat, bind who plans for them as a rule does
		[]ctxmcp.ObjectType{ctxmcp.ActionableConstraint, ctxmcp.PolicyRule}, shown("constraint", "health")},
	{Preferences, "Preferences", 0.20, []ctxmcp.ObjectType{ctxmcp.Preference}, shown("preference")},
	{Decisions, "Decisions and conventions", 0.25, nil, shown("decision")},
	{People, "People, places and facts", 0.15, nil, shown("people")},
	{Lately, "Lately", 0.10, nil, nil},
	{Tasks, "To do", 0.10, nil, shown("task")},
	{Topic, "On this", 0.50, nil, nil},
}

// order returns the sections in the order of a brief: of somebody or something as a whole it says first who or what they are, for a
// topic it begins with that, and of conventions with the parts that are theirs.
func order(b Bounds) []section {
	first := b.First
	switch {
	case b.Topical:
		first = []Part{Topic}
	case b.About:
		first = []Part{People}
	}
	var all []section
	for _, p := range first {
		all = append(all, sectionOf(p))
	}
	for _, s := range sections {
		if !slices.Contains(first, s.part) {
			all = append(all, s)
		}
	}
	return all
}

// The words of the objects that stand first in their part: of people, those that introduce them, of the rest, those that hold for all.
var (
	introductions = language.NewPattern(`^(?i:%s) ((a|an|the) |\p{Lu})`, language.Brief.Row("introduction"))
	norms         = shown("norm")
	health        = shown("health")
)

// others matches a statement about somebody who is named by what they are to the user.
var others = language.NewPattern(`^(?i:my|our) (?i:%s)\b`, language.People.Row("roles"))

// personal matches a statement of the one who speaks: a word of theirs that is no agreement tells of them.
var personal = language.NewPattern(`^(?i:%s)\b`, language.Brief.Row("personal"))

// mostNorms is the number of words of a norm that count.
const mostNorms = 2

// strength returns how firmly an object belongs to a part.
func strength(p Part, o ctxmcp.ContextObject) int {
	switch {
	case p == People && read(o.Content).introduces, p == Constraints && read(o.Content).health:
		return 1
	case p == Topic && PartOf(o) == Constraints:
		return mostNorms + 1
	case p == Topic && PartOf(o) == Preferences:
		return mostNorms
	case p == Decisions || p == Topic:
		return read(o.Content).norms
	default:
		return 0
	}
}

// told is the order in which the words of an object are read: what is to be done is no decision yet, and a rule no taste.
var told = [...]Part{Constraints, Tasks, Preferences, Decisions, People}

// shown returns the pattern of the phrases of rows.
func shown(rows ...string) *language.Pattern {
	sets := make([]*language.Set, len(rows))
	for i, row := range rows {
		sets[i] = language.Brief.Row(row)
	}
	return language.NewPattern(`(?i)\b(?:`+strings.Repeat(`|%s`, len(rows))[1:]+`)\b`, sets...)
}

func sectionOf(p Part) section {
	return sections[slices.IndexFunc(sections[:], func(s section) bool { return s.part == p })]
}

// Heading returns the line above a part.
func (p Part) Heading() string { return sectionOf(p).heading }

// unnamed are the types that the source of an object gives it, and what such an object is if its words do not tell.
var unnamed = map[ctxmcp.ObjectType]Part{
	ctxmcp.ProjectDecision: Decisions, ctxmcp.IdentityFact: People, ctxmcp.InferredBelief: Lately,
}

// PartOf returns the part of a brief that an object belongs to, or "" for what belongs to none: what was retrieved says nothing
// of the user, and schemas of tools are for programs.
func PartOf(o ctxmcp.ContextObject) Part {
	for _, s := range sections {
		if slices.Contains(s.types, o.ObjectType) {
			return s.part
		}
	}
	usual, ok := unnamed[o.ObjectType]
	if !ok || o.Authority >= ctxmcp.AuthorityRetrieved {
		return ""
	}
	r := read(o.Content)
	switch {
	case r.introduces:
		return People
	case r.part == "" && usual == Decisions && r.norms == 0 && personal.MatchString(o.Content):
		return People
	}
	return cmp.Or(r.part, usual)
}
