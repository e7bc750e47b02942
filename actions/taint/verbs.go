package taint

import (
	"slices"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// verbClass is a class of verbs by what they do to the world. Its words are rows of the lists of effects: the name of a tool and
// the command of a sentence are compared by them.
type verbClass struct {
	name string // of the rows
	kind ctxmcp.ActionKind
}

// effects is the table of the classes.
var effects = []verbClass{
	{"send", ctxmcp.OutboundAction},
	{"pay", ctxmcp.OutboundAction},
	{"buy", ctxmcp.OutboundAction},
	{"book", ctxmcp.OutboundAction},
	{"create", ctxmcp.WriteAction},
	{"remove", ctxmcp.WriteAction},
	{"change", ctxmcp.WriteAction},
	{"invite", ctxmcp.OutboundAction},
	{"grant", ctxmcp.OutboundAction},
	{"endorse", ctxmcp.OutboundAction},
	{"visit", ctxmcp.ReadAction},
	{"run", ctxmcp.WriteAction},
	{"confirm", ctxmcp.WriteAction},
}

// effectSet is a set of rows of effects, one bit each.
type effectSet uint32

// verbEffects maps the stems of verbs to their effects, effectsOf those of verbs and of the nouns that imply an effect.
var (
	verbEffects = effectWords(language.EffectVerbs)
	effectsOf   = effectWords(language.EffectVerbs, language.EffectNouns)
)

func effectWords(tables ...*language.Table) func() map[string]effectSet {
	return sync.OnceValue(func() map[string]effectSet {
		bits := map[string]effectSet{}
		for i, e := range effects {
			bits[e.name] = 1 << i
		}
		set := map[string]effectSet{}
		for _, t := range tables {
			for _, r := range t.Rows() {
				for _, w := range r.Words {
					set[language.LightStem(w)] |= bits[r.Head]
				}
			}
		}
		return set
	})
}

// meaning holds the effects that the name and the definition of a tool tell.
type meaning struct {
	kind    ctxmcp.ActionKind
	effects effectSet
	words   map[string]bool // stems of the name
}

// meaningOf reads the name and the operation of a tool, and its definition where the host gave one. Hints of the host go
// before words; a tool of which neither says anything is unknown.
func meaningOf(tool, operation string, known *Definition) meaning {
	m := meaning{kind: ctxmcp.UnknownAction, words: map[string]bool{}}
	server, own := language.ToolName(tool)
	m.take(language.NameWords(own), operation)
	if m.kind == ctxmcp.UnknownAction {
		m.take(language.NameWords(server), "")
	}
	for _, w := range language.NameWords(server) {
		if s := language.LightStem(w); !generic.Has(s) {
			m.words[s] = true
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

// take takes in the words of a name, and of an operation that says more. A tool that is called after its server says less than its operation.
func (m *meaning) take(names []string, operation string) {
	told := slices.DeleteFunc(language.NameWords(operation), func(w string) bool { return idle.Has(language.LightStem(w)) })
	all := slices.Concat(names, told)
	if len(names) == 1 && len(told) > 0 && alsoNoun.Has(language.LightStem(names[0])) {
		all = slices.Concat(told, names)
	}
	for _, w := range all {
		s := language.LightStem(w)
		if generic.Has(s) {
			continue
		}
		m.words[s] = true
		m.effects |= effectsOf()[s]
		if m.kind == ctxmcp.UnknownAction {
			m.kind = kindOfVerb(s)
		}
	}
}

func kindOfVerb(s string) ctxmcp.ActionKind {
	if reads.Has(s) {
		return ctxmcp.ReadAction
	}
	kind := ctxmcp.UnknownAction
	for i, d := range effects {
		if effectsOf()[s]&(1<<i) != 0 && (kind == ctxmcp.UnknownAction || d.kind == ctxmcp.OutboundAction) {
			kind = d.kind
		}
	}
	return kind
}

// describe takes the first verb of the description where the name has none.
func (m *meaning) describe(text string) {
	for i, w := range language.NameWords(text) {
		s := language.LightStem(w)
		if i > 40 {
			return
		}
		if m.kind == ctxmcp.UnknownAction {
			m.kind = kindOfVerb(s)
		}
		if i < 12 && !stopWords.Has(w) && !generic.Has(s) {
			m.words[s] = true
			m.effects |= effectsOf()[s]
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
