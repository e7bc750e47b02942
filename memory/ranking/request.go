package ranking

import (
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Request says which memories a question wants beside the one that answers it best. The zero value wants nothing else.
type Request struct {
	// Brief says that it asks for what bears on a person, a project or a task: an answer is composed, not ranked.
	Brief bool
	// About says that the brief is of a person or a project as a whole, and not of the rules for a task.
	About bool
	// Topic holds the terms that are left when those of the request are taken off: what the task is about.
	Topic []string
	// Rest is the text of a request for a brief without the phrases that make it one.
	Rest string
	// List says that it asks for all of a kind, or of a time, and not for one.
	List bool
	// Types are the types of objects that it asks for; none: any.
	Types []ctxmcp.ObjectType
	// Leading are the types of a brief of conventions, which may be of several types, in the order in which they stand.
	Leading []ctxmcp.ObjectType
	// Told is the time in which it asks what was told or happened. A zero bound is open.
	Told ctxmcp.Interval
	// Forget says that it asks to forget what it describes.
	Forget bool
}

var (
	aboutForm = requested(`(?i)\b%s(?:\W|$)`, "about")
	briefForm = requested(`(?i)\b%s(?:\W|$)`, "brief")
	// taskForm matches a question for what binds a task, by words that also tell what it is about.
	taskForm   = requested(`(?i)\b%s(?:\W|$)`, "task")
	listForm   = requested(`(?i)\b%s\b`, "list")
	forgetForm = requested(`(?i)^\W*(?:please |kindly |(?:can|could|would|will) you (?:please )?|i (?:want|would like|'d like) you to |you (?:can|may|should) )?%s\b`, "forget")
	// sumWords are the terms of words for all that is held, and requestWords those beside which they name no topic.
	sumWords     = language.Requests.Row("sum").Terms()
	requestWords = language.Requests.Row("words").Terms()
	forgetWords  = language.Requests.Row("forget").Terms()
	// wholeForm matches the end of a question about the user's group as a whole: "about our family".
	wholeForm  = requested(`(?i)\babout (?:the|this|our|my) (?:whole |entire )?%s$`, "whole")
	wholeWords = language.Requests.Row("whole").Terms()
	// openerForm matches a plan to do something, which asks for a brief if nothing else is asked.
	openerForm = requested(`(?i)^%s\b`, "opener")
	// orderForm matches a task that is set in so many words, "write the release notes", and orderOfForm one by a verb that may be a noun too: "test the
	// basket", not "test command".
	orderForm   = requested(orderLead+`%s +\S+ +\S`, "imperative")
	orderOfForm = requested(orderLead+`%s +(?:up |out |on |through )?(?:an?|the|this|that|these|those|my|our|your|his|her|their|its|me|us|some|something|another|all|every)\b`, "imperative_or_noun")
)

// orderLead matches the beginning of a request to do something.
const orderLead = `(?i)^(?:now,? |so,? |ok(?:ay)?,? )?(?:please |kindly )?(?:(?:can|could|would|will) you (?:please )?|help me(?: to)? |(?:i|we)(?: now)? (?:need|want|have|must|would like|'d like)(?: to)? |(?:i|we)'d like to |it'?s time to )?`

func requested(form, row string) *language.Pattern {
	return language.NewPattern(form, language.Requests.Row(row))
}

// namedTypes ties the types of objects to the ways in which a question names them.
var namedTypes = [...]struct {
	object ctxmcp.ObjectType
	named  *language.Pattern
}{
	{ctxmcp.ActionableConstraint, requested(`(?i)\b%s\b`, "constraint")},
	{ctxmcp.ProjectDecision, requested(`(?i)\b%s\b`, "decision")},
	{ctxmcp.Preference, requested(`(?i)\b%s\b`, "preference")},
	{ctxmcp.IdentityFact, requested(`(?i)\b%s\b`, "identity")},
}

// leading ties the kinds of conventions to the types of a brief of them.
var leading = [...]struct {
	named *language.Pattern
	types []ctxmcp.ObjectType
}{
	{requested(`(?i)\b%s\b`, "style"), []ctxmcp.ObjectType{ctxmcp.Preference, ctxmcp.ProjectDecision, ctxmcp.ActionableConstraint}},
	{requested(`(?i)\b%s\b`, "convention"), []ctxmcp.ObjectType{ctxmcp.ProjectDecision, ctxmcp.Preference, ctxmcp.ActionableConstraint}},
}

// requestOf reads what a question that is asked at an instant wants. A question of one topic is no brief: "coding style" asks
// for the conventions of coding, "what is our style of headings?" for one of them.
func requestOf(text string, terms []string, at time.Time) Request {
	asks := strings.Contains(text, "?")
	text = strings.TrimRight(strings.TrimSpace(text), " ?!.")
	r := Request{Forget: forgetForm.MatchString(text), Told: toldIn(text, at)}
	r.Topic = slices.DeleteFunc(slices.Clone(terms), requestWords.Has)
	if r.Forget {
		r.Topic = slices.DeleteFunc(r.Topic, forgetWords.Has)
	} else {
		r.About = aboutForm.MatchString(text)
		r.Brief = r.About || briefForm.MatchString(text) || taskForm.MatchString(text) || !asks && openerForm.MatchString(text) || setsTask(text, asks) || len(r.Topic) == 0 && !oneForm.MatchString(text) && slices.ContainsFunc(terms, func(t string) bool { return sumWords.Has(t) && t != doneIn(text) })
	}
	if r.Brief && slices.ContainsFunc(terms, func(t string) bool { return !stopTerms.Has(t) }) {
		r.Rest = restOf(text)
		rest := language.Query(r.Rest)
		r.Topic = slices.DeleteFunc(r.Topic, func(t string) bool { return !slices.Contains(rest, t) })
	}
	if r.Brief && wholeForm.MatchString(text) {
		if rest := slices.DeleteFunc(slices.Clone(r.Topic), wholeWords.Has); len(rest) == 0 {
			r.About, r.Topic = true, rest
		}
	}
	timed := r.Told != ctxmcp.Interval{}
	r.List = !r.Brief && !r.Forget && (listForm.MatchString(text) || timed)
	r.nameTypes(text)
	return r
}

// doneIn returns the term of the verb that a question ends with: "when do we practise" asks for no practices. "" if it ends with none.
func doneIn(question string) string {
	if m := doneForm.FindStringSubmatch(question); m != nil {
		return language.Term(m[1])
	}
	return ""
}

// doneForm matches a question for the time, the place or the manner of a deed.
var doneForm = language.NewPattern(`(?i)^(?:at what time|how|how (?:long|often)|what time|when|where|why) (?:can|did|do|does|should|will) .* (\w+)$`)

// oneForm matches a question for a time, a place, a person or a number: "when is practice?" asks for no practices.
var oneForm = requested(`(?i)^(?:and |so )?%s\b`, "asks_one")

// setsTask reports whether a text sets a task. A question sets one only to who is asked: "can you write the notes?"
func setsTask(text string, asks bool) bool {
	if asks && !askingForm.MatchString(text) {
		return false
	}
	return orderForm.MatchString(text) || orderOfForm.MatchString(text)
}

// askingForm matches a request in the form of a question.
var askingForm = language.NewPattern(`(?i)^(?:please )?(?:can|could|would|will) you\b`)

// restOf returns a request for a brief without the phrases that make it one: they say nothing of what it is about.
func restOf(text string) string {
	for _, form := range []*language.Pattern{aboutForm, briefForm, openerForm} {
		text = form.Regexp().ReplaceAllString(text, ". ")
	}
	return text
}

// nameTypes notes the types of objects that the text names.
func (r *Request) nameTypes(text string) {
	for _, l := range leading {
		if r.Brief && l.named.MatchString(text) {
			r.Leading = l.types
			return
		}
	}
	if !r.Brief && !r.List {
		return
	}
	for _, t := range namedTypes {
		whole := r.About && t.object == ctxmcp.IdentityFact // who somebody is, is all that is held of them
		if t.named.MatchString(text) && !whole {
			r.Types = append(r.Types, t.object)
		}
	}
}
