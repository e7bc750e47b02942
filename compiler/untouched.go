package compiler

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// The relevance, and the nearness to the step, from which a statement may come without a word of it.
const (
	untouchedSure = 0.25
	untouchedNear = 0.15
)

// leaveUntouched leaves out statements that only their relevance brought, and that share no word with the step, nor have one that stands for a word of it: such a
// likeness is of the kind of sentence, and not of its matter. What says a change stays, for it tells of a matter in other words than the question. Older forms
// of inputs leave nothing out so.
func (s *state) leaveUntouched(asked *question) {
	if !s.in.labelled() {
		return
	}
	near := asked.near()
	for _, it := range s.live() {
		o := it.Object
		if it.Kind != KindMemory || it.tier == Critical || it.standard() || it.activated || it.Standing || o.Author != "" || it.relation != "" || it.Relevance >= untouchedSure {
			continue
		}
		if !s.touched(asked, o.Content) && near(o.Content) < untouchedNear && !change.Read(change.Of(o)).Changes() {
			it.tier = Irrelevant
			s.omit(it, IrrelevantTask, "", "")
		}
	}
}

// touched reports whether a text shares a word with the step that names something. A number in both is no such word: "split four ways" and "twins of four" have
// no matter in common. Inputs of older forms are compiled with numbers as words.
func (s *state) touched(asked *question, text string) bool {
	if !s.in.chained() {
		return asked.touches(text)
	}
	return asked.touches(strings.Join(slices.DeleteFunc(strings.Fields(text), isNumeral), " "))
}

// isNumeral reports whether a word is a number, in digits or letters.
func isNumeral(word string) bool {
	word = strings.ToLower(strings.Trim(word, ".,;:!?()\"'"))
	return numerals[word] != "" || word != "" && strings.Trim(word, "0123456789.,") == ""
}
