package compiler

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
)

// priority is the order in which the budget is given out.
type priority int

const (
	criticalPriority priority = iota // system prompt, the user's turn, rules, constraints
	taskPriority                     // the state of the task
	resultPriority                   // results of tools
	guidePriority                    // guidance, documents
	mediumPriority                   // memory that is important or useful
	lowPriority                      // the rest of memory
)

// The part of the room, one in so many, that the memories which bear most on the request get before the talk that precedes it: more where room is
// short, for a fact takes less of it than a turn.
const (
	factShare      = 4
	tightFactShare = 2
	tightRoom      = 1000 // tokens
)

// factRoom returns the room of those memories. Older forms of inputs know no tight budgets.
func (s *state) factRoom() int {
	if s.room <= tightRoom && s.in.Schema != firstInputsSchema {
		return s.room / tightFactShare
	}
	return s.room / factShare
}

// recent is how many turns at the end of the conversation come before memory.
const recent = 2

// allotment is a budget while it is given out.
type allotment struct {
	*state
	used   int
	opened map[section]bool
	leads  map[string]bool // of the guidance
	groups map[group]bool
	noted  bool // there is room for the notes about turns that are left out
}

// allot decides what is shown, and in which form. Whole objects are kept, or replaced by a shorter form that is true, or left
// out with a reason: nothing is cut. Where room is short old talk goes before results, results before the task, the task before the request. It
// returns CodeTooLarge if what is critical does not fit.
func (s *state) allot() error {
	a := &allotment{state: s, opened: map[section]bool{}, leads: map[string]bool{}, groups: map[group]bool{}}
	items := s.live()
	for _, it := range items {
		it.form = -1
	}
	for i := range s.history {
		s.history[i].form = -1
	}
	if err := a.critical(items); err != nil {
		return err
	}
	slices.SortFunc(items, func(x, y *item) int {
		return cmp.Or(cmp.Compare(priorityOf(x), priorityOf(y)), s.compareInSection(x, y))
	})
	a.takePinned()
	a.reserveNotes()
	a.takeAll(items, taskPriority)
	a.takeNewest(1)
	a.takeAll(items, resultPriority)
	a.takeAll(items, guidePriority)
	a.takeFirst(items, mediumPriority, a.factRoom())
	a.takeNewest(recent)
	a.takeAll(items, mediumPriority)
	a.takeOlder()
	a.takeAll(items, lowPriority)
	a.pairUp(items)
	return nil
}

func priorityOf(it *item) priority {
	switch {
	case it.tier == Critical:
		return criticalPriority
	case it.ofArea:
		return lowPriority
	case it.Kind == KindTaskState:
		return taskPriority
	case it.Kind == KindToolResult:
		return resultPriority
	case it.Kind == KindArtifact:
		return mediumPriority
	case it.Kind != KindMemory || it.standard() || it.rung >= 4:
		return guidePriority
	case (it.tier == Important || it.tier == Useful) && !it.contained:
		return mediumPriority
	}
	return lowPriority
}

// critical takes what must be there, whatever else is.
func (a *allotment) critical(items []*item) error {
	r := a.in.Request
	if a.said != "" {
		a.used = a.counter.Count(a.said) + a.in.Policy.MessageTokens
	}
	for _, text := range append([]string{r.SystemPrompt, a.notice()}, a.systemTexts...) {
		if text != "" {
			a.open(systemGroup)
			a.used += a.line(text)
		}
	}
	for _, p := range a.fieldLines() {
		a.open(taskGroup)
		a.used += a.line(p.text)
	}
	for _, it := range items {
		if priorityOf(it) == criticalPriority {
			it.form = 0
			a.used += a.cost(it, 0)
			a.place(it)
		}
	}
	if over := a.used - a.in.Request.MaxTokens; over > 0 {
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the critical content has %d tokens, %d over max_tokens: the system prompt, "+
			"the user's message, the rules, the constraints and the fields of the task", a.used, over).
			WithHint("raise max_tokens to %d or more, or shorten the longest of them", a.used)
	}
	return nil
}

// notice returns what the delimiters mean, where anything may stand between them.
func (s *state) notice() string {
	for _, it := range s.items {
		if it.drop == nil && (it.contained || it.Kind == KindTaskState) {
			return containment.Notice
		}
	}
	if s.in.Request.SystemPrompt == "" && len(s.in.Candidates) == 0 {
		return ""
	}
	return containment.Notice
}

// takeAll takes the items of a priority, each in the fullest form that fits.
func (a *allotment) takeAll(items []*item, p priority) { a.takeFirst(items, p, a.room) }

// takeFirst takes the items of a priority that were not taken yet, each in the fullest form that fits into the room and, with those before
// it, into a share.
func (a *allotment) takeFirst(items []*item, p priority, share int) {
	most := min(a.room, a.used+share)
	for _, it := range items {
		if priorityOf(it) != p || it.form >= 0 {
			continue
		}
		a.takeForm(it, most)
	}
}

// takeForm takes an item in the fullest form that fits, and reports whether one did.
func (a *allotment) takeForm(it *item, most int) bool {
	for form := range it.forms {
		if cost := a.cost(it, form); a.used+cost <= most {
			it.form = form
			a.used += cost
			a.place(it)
			return true
		}
	}
	return false
}

// cost returns the tokens that a form of an item adds, with the heading and the message that it opens.
func (a *allotment) cost(it *item, form int) int {
	text := it.forms[form].Text
	info := sections[it.section]
	n := 0
	if !a.groups[info.group] {
		n += a.in.Policy.MessageTokens
	}
	if !a.opened[it.section] && info.heading != "" {
		n += a.line(info.heading)
	}
	if lead := a.lead(it); lead != "" && !a.leads[lead] {
		n += a.line(lead)
	}
	switch it.section {
	case resultsSection:
		return a.counter.Count(framed(text, sourceOf(it))) + 2*a.in.Policy.MessageTokens + a.counter.Count(it.CallID+it.Tool)*2 + 8
	case documentsSection:
		return n + a.line(framed(text, sourceOf(it)))
	case retrievedSection:
		if !a.opened[it.section] {
			n += a.line(framed("", "memory"))
		}
	}
	if it.section == taskSection && it.contained {
		return n + a.line(framed(text, sourceOf(it)))
	}
	return n + a.line("- "+text)
}

// line returns the tokens of a text with the end of its line.
func (a *allotment) line(text string) int { return a.counter.Count(text + "\n") }

func (a *allotment) place(it *item) {
	a.opened[it.section] = true
	a.leads[a.lead(it)] = true
	a.groups[sections[it.section].group] = true
}

func (a *allotment) open(g group) {
	if !a.groups[g] {
		a.groups[g] = true
		a.used += a.in.Policy.MessageTokens
	}
}

// sourceOf names what an item came from, as its delimiters say it.
func sourceOf(it *item) string {
	from := it.Object.SourceOrigin
	if it.Kind == KindToolResult {
		from = "tool " + it.Tool
	}
	return containment.Origin(from)
}
