package taint

import (
	"strings"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp"
)

// effect is a class of verbs by what they do to the world. The words are plain English: the name of a tool and the command of a
// sentence are compared by them.
type effect struct {
	name  string
	kind  ctxmcp.ActionKind
	verbs string // separated by spaces
	nouns string // nouns that imply the effect; they are no commands
}

// effects is the table of the classes. A word may stand in several rows.
var effects = []effect{
	{"send", ctxmcp.OutboundAction, "send sent email mail message forward post reply respond notify submit dispatch deliver publish tell text dm share broadcast announce push upload enter fill type input pass relay route transmit cc bcc introduce supply contact copy", "letter"},
	{"pay", ctxmcp.OutboundAction, "pay paid send sent transfer wire remit transact refund deposit donate settle charge withdraw reimburse fund", "payment transaction money cash"},
	{"buy", ctxmcp.OutboundAction, "buy bought purchase order checkout rebuy acquire subscribe", "cart basket"},
	{"book", ctxmcp.OutboundAction, "book reserve schedule arrange rent hire", "reservation booking appointment"},
	{"create", ctxmcp.WriteAction, "create make add insert write compose generate draft propose file register append save store new issue set put", ""},
	{"remove", ctxmcp.WriteAction, "delete remove cancel clear erase drop unsubscribe revoke wipe purge unstar unfollow empty discard kick ban uninstall destroy trash", "deletion"},
	{"change", ctxmcp.WriteAction, "update change modify edit adjust reset replace rename reschedule alter switch set move copy increase decrease raise lower overwrite", ""},
	{"invite", ctxmcp.OutboundAction, "invite add include", "participant collaborator member guest invitation"},
	{"grant", ctxmcp.OutboundAction, "share grant give allow permit authorize transfer assign hand", "permission access"},
	{"endorse", ctxmcp.OutboundAction, "star like follow rate review vote recommend praise comment upvote", ""},
	{"visit", ctxmcp.ReadAction, "visit browse open click go navigate access load download install", "webpage website page url link"},
	{"run", ctxmcp.WriteAction, "run execute install launch start stop enable disable activate deploy restart shutdown turn lock unlock play", ""},
	{"confirm", ctxmcp.WriteAction, "verify confirm accept approve sign login log authenticate complete claim redeem apply join", "verification"},
}

// reading are the verbs that only look. As the first verb of a tool's name they make it a read.
const reading = "get list read search find view show check lookup query describe count fetch retrieve look inspect see summarize " +
	"calculate compute think browse visit open download pull clone compare validate preview watch monitor scan ask lookup recall"

// alsoNoun are verbs that name a thing as often.
var alsoNoun = wordSet("email mail message order file issue star comment invite")

// effectSet is a set of rows of effects, one bit each.
type effectSet uint32

var (
	verbEffects = effectWords(func(d effect) string { return d.verbs })
	effectsOf   = effectWords(func(d effect) string { return d.verbs + " " + d.nouns })
	reads       = wordSet(reading)
)

func effectWords(words func(effect) string) map[string]effectSet {
	set := map[string]effectSet{}
	for i, d := range effects {
		for w := range strings.FieldsSeq(words(d)) {
			set[stem(w)] |= 1 << i
		}
	}
	return set
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[stem(w)] = true
	}
	return set
}

// meaning is what the name of a tool, and what is known of it, says that it does.
type meaning struct {
	kind    ctxmcp.ActionKind
	effects effectSet
	words   map[string]bool // stems of the name
}

// generic are words in names that say nothing, idle further ones in the names of operations.
var (
	generic = wordSet("tool call invoke function api action mcp the a of to by with for my current new server client v1 v2 operation use")
	// idle are operations that say only that the tool is used.
	idle = wordSet("run execute perform do process request default")
)

// meaningOf reads the name and the operation of a tool, and its definition where the host gave one. Hints of the host go
// before words; a tool of which neither says anything is unknown.
func meaningOf(tool, operation string, known *Definition) meaning {
	m := meaning{kind: ctxmcp.UnknownAction, words: map[string]bool{}}
	names := nameWords(tool)
	for i, w := range append(names, nameWords(operation)...) {
		s := stem(w)
		if generic[s] || i >= len(names) && idle[s] {
			continue
		}
		m.words[s] = true
		m.effects |= effectsOf[s]
		if m.kind == ctxmcp.UnknownAction {
			m.kind = kindOfVerb(s)
		}
	}
	if known == nil {
		return m
	}
	if m.kind == ctxmcp.UnknownAction {
		m.describe(known.Description)
	}
	m.hint(known.Annotations)
	return m
}

func kindOfVerb(s string) ctxmcp.ActionKind {
	if reads[s] {
		return ctxmcp.ReadAction
	}
	kind := ctxmcp.UnknownAction
	for i, d := range effects {
		if effectsOf[s]&(1<<i) != 0 && (kind == ctxmcp.UnknownAction || d.kind == ctxmcp.OutboundAction) {
			kind = d.kind
		}
	}
	return kind
}

// describe takes the first verb of the description where the name has none.
func (m *meaning) describe(text string) {
	for i, w := range nameWords(text) {
		s := stem(w)
		if i > 40 {
			return
		}
		if m.kind == ctxmcp.UnknownAction {
			m.kind = kindOfVerb(s)
		}
		if i < 12 && !stopWords[w] && !generic[s] {
			m.words[s] = true
			m.effects |= effectsOf[s]
		}
	}
}

func (m *meaning) hint(a Annotations) {
	switch {
	case a.ReadOnly != nil && *a.ReadOnly:
		m.kind = ctxmcp.ReadAction
	case a.ReadOnly != nil && m.kind == ctxmcp.ReadAction:
		m.kind = ctxmcp.WriteAction
	}
	if m.kind != ctxmcp.ReadAction && a.OpenWorld != nil && *a.OpenWorld {
		m.kind = ctxmcp.OutboundAction
	}
}

// nameWords splits a name into words in lower case: at everything but letters and digits, and where capitals begin.
func nameWords(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])) {
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}
