package compiler

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// mostCompared bounds the memories that are lined up with each other: the most relevant.
const mostCompared = 40

// former matches the words of a question for a former state. Older forms of inputs took each of them for such a question.
var former = language.NewPattern(`(?i)\b%s\b`, language.Questions.Row("former"))

// The words of a question for a former state, and those by which a question that is in the past tense asks for one.
var (
	formerState = language.NewPattern(`(?i)\b%s\b`, language.Questions.Row("former_state"))
	formerTime  = language.NewPattern(`(?i)\b(did|had|use|used|was|were)\b.*\b(%s|before\s*$)`, language.Questions.Row("former_time"))
)

// asksFormer reports whether the turn asks for a former state: then nothing that is outdated gives way.
func (s *state) asksFormer() bool {
	if !s.in.filled() {
		return former.MatchString(s.said)
	}
	for sentence := range strings.FieldsFuncSeq(s.said, func(r rune) bool { return strings.ContainsRune(".?!\n", r) }) {
		if formerState.MatchString(sentence) || formerTime.MatchString(sentence) {
			return true
		}
	}
	return false
}

// giveWay leaves out what a later statement has likely outdated, in memory or in the conversation, so that the model never gets both as if they
// held: the newest holds. A later statement that nobody asked for comes in the place of the one that gives way to it. What was retrieved
// gives way to what somebody said, whenever it was retrieved.
func (s *state) giveWay() {
	if s.asksFormer() {
		return
	}
	items := s.statements()
	if len(items) == 0 {
		return
	}
	read, weigh := weighedTogether(items)
	s.giveWayToConversation(items, read, weigh)
	links := change.LineUp(read, change.LikelyFrom)
	slices.SortFunc(links, func(a, b change.Link) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.Older, b.Older), cmp.Compare(a.Newer, b.Newer))
	})
	for _, l := range links {
		if older, newer := items[l.Older], items[l.Newer]; read[l.Newer].Changes() && sameBinding(older, newer) && (!isConstraint(older) || l.Probability >= surely) {
			s.replace(older, newer)
		}
	}
	s.liftConstraints(items, read)
	s.giveWayToRestated(items, read)
	s.giveWayToNewest(items, read)
	s.giveWayToLater(items, read, weigh)
	s.sayOnce(items, read)
	for _, it := range items { // what was marked when the later statement was told
		if by := s.markedBy(it, items); by != nil && sameBinding(it, by) && !isConstraint(it) {
			s.replace(it, by)
		}
	}
}

// weighedTogether returns the readings of items, with the weights that terms have among them.
func weighedTogether(items []*item) ([]*change.Weighed, change.Words) {
	readings := make([]*change.Reading, len(items))
	frequency := map[string]int{}
	for i, it := range items {
		st := change.Of(it.Object)
		if it.contained {
			st.At = time.Time{}
		}
		readings[i] = change.Read(st)
		for _, t := range readings[i].Terms() {
			frequency[t]++
		}
	}
	weigh := change.Rarity(len(items), func(term string) int { return frequency[term] }).Once()
	all := make([]*change.Weighed, len(items))
	for i, r := range readings {
		all[i] = change.Weigh(r, weigh)
	}
	return all, weigh
}

// giveWayToNewest leaves out what a later statement of no lower standing says otherwise without a word of change: something else of one subject,
// or another quantity of one thing. Two values of one thing are never given as if both held. Older forms of inputs know no such pairs.
func (s *state) giveWayToNewest(items []*item, read []*change.Weighed) {
	if s.in.Schema == firstInputsSchema {
		return
	}
	quantities := make([]attribute, len(items))
	for i, it := range items {
		quantities[i] = attributeOf(it.text)
	}
	for i, older := range items {
		for j, newer := range items {
			if older.drop != nil || older.contained || newer.contained || !read[i].At.Before(read[j].At) ||
				newer.Object.Authority > older.Object.Authority || !sameBinding(older, newer) {
				continue
			}
			if !isConstraint(older) && read[i].Competes(read[j]) || quantities[i].differs(quantities[j]) {
				s.replace(older, newer)
			}
		}
	}
}

// sayOnce leaves out what another statement says in other words. The one on higher authority stays, then the more relevant.
func (s *state) sayOnce(items []*item, read []*change.Weighed) {
	for i, a := range items {
		for j := i + 1; a.drop == nil && j < len(items); j++ {
			b := items[j]
			if b.drop != nil || a.text == b.text || a.contained != b.contained || !sameBinding(a, b) || read[i].Likeness(read[j]) < change.Rephrased {
				continue
			}
			if compareStanding(a, b) <= 0 {
				s.omit(b, NearDuplicate, a.id(), "")
			} else {
				s.omit(a, NearDuplicate, b.id(), "")
			}
		}
	}
}

// sameBinding reports whether both are constraints, or neither is: a constraint ends no fact, and no fact lifts a constraint.
func sameBinding(a, b *item) bool { return isConstraint(a) == isConstraint(b) }

// isConstraint reports whether an item is a constraint of the user: only what surely changes it lifts it.
func isConstraint(it *item) bool { return it.Object.ObjectType == ctxmcp.ActionableConstraint }

// statements returns the memories that may outdate each other: those that are selected, and the most relevant of those that are not. The turns of a
// conversation that is remembered are evidence of what was said, and stay.
func (s *state) statements() (all []*item) {
	for _, it := range s.items {
		beside := it.drop != nil && it.drop.stage == "rank"
		if it.Kind == KindMemory && it.attached == "" && it.Object.Author == "" && !it.standard() && (it.drop == nil || beside) {
			it.contained = isData(it)
			all = append(all, it)
		}
	}
	slices.SortStableFunc(all, func(a, b *item) int {
		return cmp.Or(cmp.Compare(tierRank(a.tier), tierRank(b.tier)), cmp.Compare(b.Relevance, a.Relevance), compareItems(a, b))
	})
	return all[:min(len(all), mostCompared)]
}

// replace leaves out a statement that a later one has outdated, and lets the later one in where it was only not asked for. A chain ends at the
// statement that holds. A statement of which a clause holds on stays, with a doubt.
func (s *state) replace(older, newer *item) {
	switch {
	case older.drop == nil && newer.drop != nil && newer.drop.detail == saidOtherwise:
		s.omit(older, Outdated, "", saidOtherwise)
	case older.drop != nil || older == newer || !s.letIn(older, newer):
	case s.in.filled() && holdsOn(older, newer):
		older.doubt = newer
	default:
		s.omit(older, Outdated, newer.id(), "a later statement says otherwise")
	}
}

// holdsOn reports whether a clause of an earlier statement holds on beside the change of a later one.
func holdsOn(older, newer *item) bool {
	return change.LeavesClause(change.Read(change.Of(older.Object)), change.Read(change.Of(newer.Object)))
}

// letIn lets a later statement in beside an earlier one, where it was only not asked for; it reports whether the later one is there.
func (s *state) letIn(older, newer *item) bool {
	if newer.drop != nil && newer.drop.reason == IrrelevantTask {
		newer.drop, newer.tier, newer.Relevance = nil, older.tier, max(newer.Relevance, older.Relevance)
		newer.share = older.share
	}
	return newer.drop == nil
}

// markedBy returns the later statement by which an item was marked as likely outdated; nil if it is not among the items.
func (s *state) markedBy(it *item, items []*item) *item {
	if it.Object.MaybeOutdatedBy == "" {
		return nil
	}
	for _, by := range items {
		if by.id() == it.Object.MaybeOutdatedBy {
			return by
		}
	}
	return nil
}

// giveWayToConversation leaves out what the user has just said otherwise.
func (s *state) giveWayToConversation(items []*item, read []*change.Weighed, weigh change.Words) {
	var said []*change.Weighed
	for _, sentence := range s.statedNow() {
		now := change.Read(change.Statement{Text: sentence, At: s.in.Instant, Authority: ctxmcp.AuthorityUser, Kind: ctxmcp.UserStatement})
		said = append(said, change.Weigh(now, weigh))
	}
	for i, it := range items {
		if it.drop == nil && it.Object.Authority >= ctxmcp.AuthorityUser && slices.ContainsFunc(said, func(now *change.Weighed) bool {
			return now.Changes() && s.endedBy(it, read[i], now)
		}) {
			s.omit(it, Outdated, "", saidOtherwise)
		}
	}
	s.giveWayToDeclared(items, read, said, weigh)
}

// endedBy reports whether a sentence of the conversation that says a change ends the statement of a memory.
func (s *state) endedBy(it *item, reading, now *change.Weighed) bool {
	if s.in.labelled() && !s.saysOtherwise(it, now.Reading) {
		return false
	}
	p := reading.Changed(now).Probability
	return p >= surely || !isConstraint(it) && quantified(it.text) && quantified(now.Text) && s.alignable.restates(it.text, now.Text, p)
}

// saysOtherwise reports whether a sentence is of the matter of a memory as far as it must be to end it: of half of a constraint, and where it says no more
// than that something is over or new, of a third of anything. A fault of a thing, and a new piece of work with it, change nothing that is known of it.
func (s *state) saysOtherwise(it *item, now *change.Reading) bool {
	share, _ := s.alignable.restated(it.text, now.Text)
	if isConstraint(it) {
		return share >= mostRestated
	}
	return share >= someRestated || !now.OnlyEnds()
}

// statedNow returns the sentences of the user in the conversation and in the turn at hand.
func (s *state) statedNow() (all []string) {
	texts := []string{s.said}
	for i := range s.history {
		for j := range s.history[i].forms[0].messages {
			if m := &s.history[i].forms[0].messages[j]; m.Role == conversation.User {
				texts = append(texts, saidBy(m))
			}
		}
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			for _, sentence := range strings.SplitAfter(line, ". ") {
				if sentence = strings.TrimSpace(sentence); sentence != "" && len(sentence) <= mostNeed && !wanting.MatchString(sentence) {
					all = append(all, sentence)
				}
			}
		}
	}
	return all[max(0, len(all)-mostCompared):]
}

// wanting matches a sentence that asks or wishes: it tells nothing of how things are.
var wanting = language.NewPattern(`(?i)\?\s*$|^\W*(please|can|could|would|will|shall|should|let'?s|what|why|how|when|where|who|which|is|are|do|does)\b|\b(i|we)('d| would)? (want|need|like|wish)\b`)

// surely is the probability from which a memory gives way to what the user has just said.
const surely = 0.75
