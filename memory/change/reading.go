package change

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// The longest text that is lined up, in bytes, and the most sentences: a longer one is an account of many things.
const (
	longest       = 400
	mostSentences = 3
	mostReplaced  = 2 // sentences of a statement that another takes the place of
)

// Reading is a statement as it is compared. It is never changed, and safe for concurrent use.
type Reading struct {
	Statement
	legible bool // short enough, and it states something
	bare    bool // it is nothing but a statement: what takes its place takes the place of all of it
	tokens  []token
	terms   []string // that carry meaning, each once, without words of change
	subject []string // those before the verb
	frame   []string // those that are no values
	values  values
	labels  values   // values before the verb: they tell which of several things it is
	cue     cues     // rows of language.Changes that occur
	changes bool     // one of them says that something has changed
	target  []string // terms of the phrases that words of change belong to
	// contrast has the places of the words of contrast, and rejected the terms that they set something against, sorted.
	contrast   []int
	rejected   []string
	former     []string // terms that are named as past: from X, instead of X, no longer X
	lead       []string // terms before the first word of change: its subject
	coming     bool     // it tells of a plan
	future     future   // from when on it holds, where that is yet to come
	matters    []string
	remark     []bool            // by word: it only corrects or stresses
	denials    int               // words that deny or limit it, but for those of a contrast
	clauses    []clause          // with what each says by itself
	parts      map[string]string // terms of the owners and uses of things, by those of the things
	fresh      []string          // matters in which it tells of something new
	head       string            // term of the thing that it is about
	states     []string          // rows of language.States that it tells of
	stateTerms []string          // terms of their words
	age        string            // number of years that somebody has
	passed     bool              // it says that something has taken place
	owner      string            // whom it is about: "self", a role or a name; "" unknown
	byName     string            // the name of its person, where a role stands beside it: "our plumber Ben"
	slot       string
	notes      *notes
	number     uint64 // in the order of reading, from 1; 0 for one that was made of another, or has nothing to read
}

// read reads a statement that is neither empty nor too long.
func read(s Statement) *Reading {
	r := &Reading{Statement: s, notes: new(notes), number: numbered.Add(1)}
	sentences, whole := plainOf(strings.ToValidUTF8(s.Text, " "))
	r.legible = len(sentences) > 0 && len(sentences) <= mostSentences
	if !r.legible {
		return r
	}
	r.bare = whole && len(sentences) <= mostReplaced
	r.tokens = tokenize(strings.Join(sentences, " "))
	r.legible = len(r.tokens) > 0
	if !s.Claim.IsZero() {
		r.slot = s.Claim.Slot()
	}
	hits := r.readCues()
	r.readRemarks(hits)
	r.readTerms(hits)
	r.owner, r.byName = ownerOf(r.said()), calledBy(r.said())
	r.readLead(hits)
	r.readTargets(hits)
	r.readContrasts(hits)
	r.readMatters(hits)
	r.readFresh(hits)
	r.readParts()
	r.coming = r.isComing(hits)
	r.readFuture(hits)
	r.readStates()
	r.readDenials()
	return r
}

// readCues notes the rows of words of change.
func (r *Reading) readCues() []hit {
	words := make([]string, len(r.tokens))
	for i, t := range r.tokens {
		words[i] = t.lower
	}
	hits := slices.DeleteFunc(changeWords().find(words), func(h hit) bool {
		return r.tokens[h.from].aside || r.tokens[h.from].lower == "since" && !r.isTime(h.from+1) || h.row == "beside" && (r.ranksDay(h) || r.isDegree(h)) || h.row == "complete" && r.isCustom(h)
	})
	stated := func(h hit) bool {
		within := func(k hit) bool { return k.row == "stated" && h.from >= k.from && h.to <= k.to }
		return h.row == "unreal" && slices.ContainsFunc(hits, within)
	}
	hits = slices.DeleteFunc(slices.Clone(hits), stated)            // "I would rather have tea" is no dream of it
	hits = slices.DeleteFunc(slices.Clone(hits), func(h hit) bool { // "is back on" completes nothing, and "ran out" tells of no occasion
		larger := func(k hit) bool { return k.from <= h.from && k.to >= h.to && k.to-k.from > h.to-h.from }
		return slices.ContainsFunc(hits, func(k hit) bool {
			return larger(k) && (h.row == "complete" && (k.row == "replace" || k.row == "move") || h.row == "telling" && slices.Contains(changing, k.row))
		}) || h.row == "former" && r.isPassive(h, hits)
	})
	for _, h := range hits {
		r.cue |= cueRows[h.row]
		r.changes = r.changes || slices.Contains(changing, h.row)
	}
	return hits
}

// isPassive reports whether a word of the past is the verb before a deed that changes something: "was moved to Wednesday" speaks of how it is now.
func (r *Reading) isPassive(h hit, hits []hit) bool {
	return (r.tokens[h.from].lower == "was" || r.tokens[h.from].lower == "were") && h.to-h.from == 1 &&
		slices.ContainsFunc(hits, func(k hit) bool { return k.from == h.to && slices.Contains(endings, k.row) })
}

// ranksDay reports whether a word of addition only counts a day: "the second Tuesday".
func (r *Reading) ranksDay(h hit) bool {
	return h.to-h.from == 1 && ranks.Has(r.tokens[h.from].lower) && h.to < len(r.tokens) && r.tokens[h.to].value == day
}

// isDegree reports whether a word of addition tells of too much: "too dear". One that adds ends its clause.
func (r *Reading) isDegree(h hit) bool {
	return r.tokens[h.from].lower == "too" && h.to < len(r.tokens) && r.tokens[h.to].clause == r.tokens[h.from].clause
}

// isCustom reports whether a word of completion tells by its time how something goes again and again, and completes nothing: "are sent on the 25th now".
func (r *Reading) isCustom(h hit) bool {
	if h.from == 0 || h.to-h.from != 1 || !being.Has(r.tokens[h.from-1].lower) {
		return false
	}
	for i := h.to; i < len(r.tokens) && r.tokens[i].clause == r.tokens[h.from].clause; i++ {
		if k := r.detailAt(i); k == day || k == clock || k == frequency {
			return true
		}
	}
	return false
}

// isTime reports whether a time begins at a place: "since the middle of May" tells from when on something is so, "since we talked" and
// "since it rains" do not.
func (r *Reading) isTime(at int) bool {
	for at < len(r.tokens) && spans.Has(r.tokens[at].lower) {
		at++
	}
	if at >= len(r.tokens) {
		return false
	}
	t := r.tokens[at]
	return t.value == number || t.value == day || t.value == clock || seasons.Has(t.lower)
}

// seasons are words for a time that are no value, and spans those before one.
var seasons, spans = language.Changes.Row("season"), language.Changes.Row("span")

// changing are the rows whose words are no part of what a statement is about.
var changing = []string{"correct", "former", "instead", "move", "new", "now", "over", "replace", "start", "transfer", "cancel", "complete"}

// changeCues are the rows of changing.
var changeCues = func() (all cues) {
	for _, row := range changing {
		all |= cueRows[row]
	}
	return all
}()

// wordsOf reports of each of so many words whether it is a word of change.
func wordsOf(hits []hit, n int) []bool {
	aside := make([]bool, n)
	for _, h := range hits {
		if slices.Contains(changing, h.row) {
			for _, i := range h.at {
				aside[i] = true
			}
		}
	}
	return aside
}

// readTerms collects the terms, the values and the terms before the verb.
func (r *Reading) readTerms(hits []hit) {
	aside, verb := wordsOf(hits, len(r.tokens)), len(r.tokens)
	for _, h := range hits {
		if h.row == "linking" && h.from > 0 {
			verb = min(verb, h.from)
		}
	}
	r.readHead(hits)
	for i, t := range r.tokens {
		switch {
		case t.value == noValue:
		case i < verb && verb < len(r.tokens) && !r.isBound(i):
			r.labels[t.value] = add(r.labels[t.value], t.lower)
			if t.value == name {
				r.values[name] = add(r.values[name], t.lower)
			}
		default:
			r.values[t.value] = add(r.values[t.value], t.lower)
		}
		if t.term == "" {
			continue
		}
		if aside[i] && t.value == noValue {
			continue
		}
		r.terms = add(r.terms, t.term)
		if t.value == noValue {
			r.frame = add(r.frame, t.term)
		}
		if i < verb && verb < len(r.tokens) {
			r.subject = add(r.subject, t.term)
		}
	}
	r.values.sort()
	r.labels.sort()
}

// isBound reports whether the number at i bounds what the statement is about, and does not tell which thing that is: "orders of at least 40 euros".
func (r *Reading) isBound(i int) bool {
	return i > 0 && r.tokens[i].value == number && bounds.Has(r.tokens[i-1].lower)
}

// bounds are the words right before a number that bounds something.
var bounds = language.Changes.Row("bound")

// readMatters notes the matters that the words speak of. To move something says nothing of where anybody lives.
func (r *Reading) readMatters(hits []hit) {
	words := make([]string, len(r.tokens))
	for i, t := range r.tokens {
		words[i] = termOr(t.lower)
	}
	for _, h := range hits {
		if h.row == "move" && len(r.target) > 0 {
			words[h.from] = ""
		}
	}
	for _, h := range matters().find(words) {
		r.matters = add(r.matters, h.row)
	}
	for _, kind := range r.kindsOfTools() {
		r.matters = add(r.matters, kind)
	}
}

// readLead collects the terms before the first word of change.
func (r *Reading) readLead(hits []hit) {
	first := len(r.tokens)
	for _, h := range hits {
		if slices.Contains(changing, h.row) {
			first = min(first, h.from)
		}
	}
	for _, t := range r.tokens[:first%len(r.tokens)] {
		if t.term != "" {
			r.lead = add(r.lead, t.term)
		}
	}
}

// endings are the rows whose words belong to what ends, and pastMarks the words right before what is named as past.
var endings = []string{"over", "cancel", "complete", "move", "replace", "transfer", "instead"}

var pastMarks = language.Changes.Row("past_mark")

// readTargets collects the terms of the clauses with a word of change, up to where the new thing is named, and the terms that stand
// right after a mark of the past.
func (r *Reading) readTargets(hits []hit) {
	aside := wordsOf(hits, len(r.tokens))
	for i := range aside {
		aside[i] = aside[i] || r.isExcepted(i, hits)
	}
	for _, h := range hits {
		if !slices.Contains(endings, h.row) || r.takes(h, hits) {
			continue
		}
		for i, t := range r.tokens {
			if t.clause != r.tokens[h.from].clause || aside[i] || t.term == "" || r.isNew(i, h) || r.isWhen(i) || i < h.from && (r.acts(h) || h.isTaking(hits)) {
				continue
			}
			r.target = add(r.target, t.term)
		}
	}
	if r.personMoved() {
		r.target = nil
	}
	for i, t := range r.tokens {
		if !pastMarks.Has(t.lower) {
			continue
		}
		for _, u := range r.tokens[i+1 : min(len(r.tokens), i+6)] {
			if u.clause != t.clause || u.lower == "to" || u.lower == "with" {
				break
			}
			if u.term != "" {
				r.former = add(r.former, u.term)
			}
		}
	}
}

// isWhen reports whether the word at i only tells when something took place: "in the night", "last week".
func (r *Reading) isWhen(i int) bool {
	if i == 0 || !timeUnits.Has(r.tokens[i].lower) && !seasons.Has(r.tokens[i].lower) && !hours.Has(r.tokens[i].lower) {
		return false
	}
	if language.Determiners.Has(r.tokens[i-1].lower) && i > 1 {
		i--
	}
	return located.Has(r.tokens[i-1].lower) || ranks.Has(r.tokens[i-1].lower) || r.tokens[i-1].lower == "during"
}

// isExcepted reports whether the word at i stands in an exception from the change: "everything but the loader has been upgraded".
func (r *Reading) isExcepted(i int, hits []hit) bool {
	return slices.ContainsFunc(hits, func(h hit) bool {
		return h.row == "except" && h.to <= i && r.tokens[i].clause == r.tokens[h.to-1].clause && !slices.ContainsFunc(r.tokens[h.to:i+1], func(t token) bool { return linking.Has(t.lower) })
	})
}

// personMoved reports whether somebody moved, and nothing that they have: "My sister moved to Lisbon".
func (r *Reading) personMoved() bool {
	if !r.cue.has(cueMove) || r.owner == "" || r.owner == self {
		return false
	}
	about := r.about(true)
	return !slices.ContainsFunc(r.target, func(t string) bool { return !slices.Contains(about, t) })
}

// takes reports whether a word of change says that somebody takes something, in a statement another clause of which ends something: "we gave
// up plot 14 and took over plot 31", "we parted ways with Helena, Rupert looks after the bookings now".
func (r *Reading) takes(h hit, hits []hit) bool {
	taken := func(t hit) bool { return (t.row == "take" || t.row == "duty") && t.from == h.from }
	ended := func(e hit) bool {
		return slices.Contains(endings, e.row) && e.row != "transfer" && r.tokens[e.from].clause != r.tokens[h.from].clause
	}
	return slices.ContainsFunc(hits, taken) && slices.ContainsFunc(hits, ended)
}

// isTaking reports whether a word of change is one by which the subject takes something: "Rasmus took over the garden".
func (h hit) isTaking(hits []hit) bool {
	return h.row == "transfer" && slices.ContainsFunc(hits, func(t hit) bool { return t.row == "take" && t.from == h.from })
}

// acts reports whether an object stands behind a word of change, so that its subject is the one who acts: "my doctor increased the dose".
func (r *Reading) acts(h hit) bool {
	return h.row == "replace" && h.to-h.from == 1 && h.to < len(r.tokens) && language.Determiners.Has(r.tokens[h.to].lower) && r.tokens[h.to].clause == r.tokens[h.from].clause
}

// handsOn are the rows whose words may name the new thing behind them.
var handsOn = []string{"move", "replace", "transfer", "instead"}

// toward are the words between a word of change and the new thing.
var toward = language.Changes.Row("toward")

// isNew reports whether the word at i stands behind a "to", "with" or "by" that follows the word of change: it names the new thing.
func (r *Reading) isNew(i int, h hit) bool {
	if !slices.Contains(handsOn, h.row) {
		return false
	}
	for j := h.from + 1; j < i; j++ {
		if toward.Has(r.tokens[j].lower) {
			return true
		}
	}
	return false
}

func add(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// outranked reports whether the newer statement may change nothing of the older one: it stands lower.
func outranked(older, newer *Reading) bool { return older.Authority.Outranks(newer.Authority) }

// guessed reports whether nobody said it: an agent inferred it, or read it somewhere.
func (r *Reading) guessed() bool { return r.Kind == ctxmcp.Inference || r.retrieved() }

// retrieved reports whether it was read from a tool or a page.
func (r *Reading) retrieved() bool { return r.Kind == ctxmcp.ToolOutput || r.Kind == ctxmcp.Web }
