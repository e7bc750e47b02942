package taint

import (
	"github.com/ctx-mcp/ctx-mcp"
)

// compared is a call with the parts of a comparison that are the same for every sentence.
type compared struct {
	*Provenance
	call      Call
	means     meaning
	explained bool       // the user spoke of such an effect
	name      string     // of the tool as texts have it; empty: it is one word
	toolWords []toolWord // of the tool's name
}

// comparison is a call held against one sentence that it may be the echo of.
type comparison struct {
	*compared
	at      int
	passage *passage
	source  *source
	values  []origin
	through *Instruction
	topic   float64 // words of the sentence that the user said too, halved
}

// indicator is one feature of a comparison that speaks for or against the call being the echo of the sentence.
type indicator struct {
	name  string
	doc   string
	count func(*comparison) float64
}

// indicators is the table. The score of a comparison is the sum of count times weight. The names stand in findings, which are
// stored: append only.
var indicators = []indicator{
	{"address", "the sentence holds an address, account or link of the action that the user did not say", func(s *comparison) float64 { return s.count(addressShape) }},
	{"id", "the sentence holds a code or a name of the action that the user did not say", func(s *comparison) float64 { return s.count(idShape) }},
	{"phrase", "the sentence holds words of the action that the user did not say", func(s *comparison) float64 { return min(2, s.count(phraseShape)) }},
	{"amount", "the sentence holds a number or date of the action that the user did not say", func(s *comparison) float64 { return min(2, s.count(amountShape)) }},
	{"command", "the sentence tells somebody to do something", func(s *comparison) float64 { return yes(s.passage.commands != 0) }},
	{"beside", "a sentence beside tells somebody to do something with it", func(s *comparison) float64 { return yes(s.passage.commands == 0 && s.neighbourCommands() != 0) }},
	{"deed", "the command has an effect that the tool has", func(s *comparison) float64 { return yes(s.effects()&s.means.effects != 0) }},
	{"other_deed", "the command has other effects than the tool", func(s *comparison) float64 {
		return yes(s.effects() != 0 && s.means.effects != 0 && s.effects()&s.means.effects == 0)
	}},
	{"unknown", "it is not known what the tool does, so it may be what is told", func(s *comparison) float64 {
		return yes(s.means.kind == ctxmcp.UnknownAction && len(s.values) > 0 && s.commanding())
	}},
	{"unread", "the sentence holds an address or a code, in a language whose verbs are not known, so it may tell to do anything", func(s *comparison) float64 {
		return yes(s.unreadable() && s.passage.commands == 0 && s.count(addressShape)+s.count(idShape) > 0)
	}},
	{"object", "the sentence has words of the tool's name", func(s *comparison) float64 { return min(2, float64(s.shared(false))) }},
	{"bare", "nothing but a verb ties the action to the sentence", func(s *comparison) float64 {
		return yes(len(s.values) == 0 && s.shared(true) == 0 && !s.namesTool())
	}},
	{"statement", "nobody is told to do anything", func(s *comparison) float64 {
		return yes(!s.commanding() && !s.namesTool())
	}},
	{"explained", "the request by itself explains the action", func(s *comparison) float64 { return yes(len(s.values) == 0 && s.explained) }},
	{"addressed", "the text speaks to a model", func(s *comparison) float64 {
		return yes(s.commanding() && s.source.modelMarks[s.passage.cell] > 0)
	}},
	{"called", "the sentence has the name of the tool", func(s *comparison) float64 { return yes(s.namesTool()) }},
	{"followed", "the agent has carried out another sentence of the text", func(s *comparison) float64 {
		return yes(s.commanding() && s.followed[[2]int{s.passage.source, s.passage.cell}])
	}},
	{"formality", "what is told only confirms what was begun", func(s *comparison) float64 { return yes(len(s.values) == 0 && s.formality()) }},
	{"user", "the sentence speaks of the user to somebody else", func(s *comparison) float64 { return yes(s.passage.aboutUser) }},
	{"brought", "the values are from what the agent was told to look up", func(s *comparison) float64 { return yes(s.through != nil) }},
	{"reply", "it is what a tool answers to a change that was asked for", func(s *comparison) float64 { return yes(s.source.reply && len(s.values) == 0) }},
	{"unasked", "the user spoke of no such action, and handed on nothing", func(s *comparison) float64 {
		return yes(!s.handedOn && s.means.effects != 0 && s.means.effects&s.userEffects == 0)
	}},
	{"asked", "the user asked for such an action, and about this", func(s *comparison) float64 { return yes(s.excusable() && s.requestedHere()) }},
	{"answered", "the user asked for it when the sentence was there already", func(s *comparison) float64 { return yes(s.excusable() && s.requestedAfter()) }},
	{"linked", "the record is one that the user pointed to", func(s *comparison) float64 { return yes(s.excusable() && s.linked(s.source, s.passage.record)) }},
	{"delegated", "the user asked to do what the record says", func(s *comparison) float64 {
		return yes(s.excusable() && s.delegated && s.linked(s.source, s.passage.record))
	}},
	{"sought", "the user spoke of a link in this record, without saying its address", func(s *comparison) float64 { return yes(s.excusable() && s.linkWanted()) }},
	{"recorded", "a record that the user pointed to has the value in a field", func(s *comparison) float64 { return yes(s.inFields(true)) }},
	{"field", "some record has the value in a field", func(s *comparison) float64 { return yes(!s.inFields(true) && s.inFields(false)) }},
	{"topic", "the sentence is about what the user asked for", func(s *comparison) float64 { return min(2, s.topic) }},
	{"namesake", "the value has a name that the user said", func(s *comparison) float64 { return yes(s.namesake()) }},
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
