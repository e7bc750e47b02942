package compiler

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// declared matches a sentence that tells how things are from now on: "as of tomorrow visitors come at one".
var declared = language.NewPattern(`(?i)\b%s\b`, language.Standing.Row("declared"))

// excepting matches an order that is otherwise this once: "in English this time".
var excepting = language.NewPattern(`(?i)\b%s\b`, language.Standing.Row("excepting"))

// leftByDeclared is the probability from which a memory gives way to a sentence of the conversation that tells how things are from now on.
const leftByDeclared = 0.3

// giveWayToDeclared leaves out what the user has declared otherwise in the conversation. A request declares nothing, and constraints stay. Only some forms of
// inputs know declarations.
func (s *state) giveWayToDeclared(items []*item, read, now []*change.Weighed, weigh change.Words) {
	now = slices.DeleteFunc(slices.Clone(now), func(r *change.Weighed) bool { return !declares(r.Text) })
	if !s.in.labelled() || len(now) == 0 {
		return
	}
	var all []*later.Statement
	for i, it := range items {
		all = append(all, s.alignable.of(it.text).Read(read[i]))
	}
	for _, r := range now {
		all = append(all, s.alignable.of(r.Text).Read(r))
	}
	for i, it := range items {
		if mayGiveWay(it) && slices.ContainsFunc(now, func(r *change.Weighed) bool {
			share, words := s.alignable.restated(it.text, r.Text)
			return read[i].Differs(r.Reading) && share >= someRestated && words >= leastRestated
		}) {
			s.omit(it, Outdated, "", saidOtherwise)
		}
	}
	for _, l := range later.LineUp(all, weigh, leftByDeclared) {
		if l.Newer < len(items) || l.Older >= len(items) {
			continue
		}
		if it := items[l.Older]; mayGiveWay(it) {
			s.omit(it, Outdated, "", saidOtherwise)
		}
	}
}

// mayGiveWay reports whether an item is one that the user may declare otherwise: no constraint, and nothing above users.
func mayGiveWay(it *item) bool {
	return it.drop == nil && !isConstraint(it) && it.Object.Authority >= ctxmcp.AuthorityUser
}

// saidOtherwise is the reason by which a memory gives way to the conversation.
const saidOtherwise = "the conversation says otherwise"

// declares reports whether a sentence tells how things are from now on, and orders nothing, or orders something else this once.
func declares(sentence string) bool {
	if excepting.MatchString(sentence) {
		return true
	}
	first, rest, _ := strings.Cut(strings.ToLower(sentence), " ")
	isNoun := strings.HasPrefix(rest, "of ") // "Change of plan"
	return declared.MatchString(sentence) && (isNoun || !ordering[strings.Trim(first, ",.:;")])
}

// ordering are verbs that a request begins with.
var ordering = func() map[string]bool {
	all := map[string]bool{}
	for _, row := range language.EffectVerbs.Rows() {
		for _, w := range row.Words {
			all[w] = true
		}
	}
	for _, w := range slices.Concat(language.ReadingVerbs.All(), language.Assent.All()) {
		all[w] = true
	}
	return all
}()
