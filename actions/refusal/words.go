package refusal

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Kinds of acts that the code speaks of. The others are rows of language.ActVerbs.
const (
	allKinds    = "all" // whatever changes something
	runKind     = "run"
	editKind    = "edit"
	deleteKind  = "delete"
	sendKind    = "send"
	shareKind   = "share"
	spendKind   = "spend"
	installKind = "install"
	deployKind  = "deploy"
	pushKind    = "push"
	noKind      = "none"     // of a command that only looks
	newDocument = "document" // of a tool that writes one
)

// Lists of language.Refusing.
var (
	openers      = language.Refusing.Row("opener")
	nots         = language.Refusing.Row("not")
	adverbs      = language.Refusing.Row("adverb")
	harmless     = language.Refusing.Row("harmless").By(baseOf)
	endings      = language.Refusing.Row("ending")
	conditionals = language.Refusing.Row("conditional")
	selves       = language.Refusing.Row("self")
	excepts      = language.Refusing.Row("except")
	onlys        = language.Refusing.Row("only")
	anys         = language.Refusing.Row("any")
	articles     = language.Refusing.Row("article")
	generals     = language.Refusing.Row("general")
	lookings     = language.Refusing.Row("looking").By(baseOf)
	leaves       = language.Refusing.Row("leave")
	alones       = language.Refusing.Row("alone")
	taboos       = language.Refusing.Row("taboo")
	nothings     = language.Refusing.Row("nothing")
	myselves     = language.Refusing.Row("myself")
	goes         = language.Refusing.Row("go")
	askers       = language.Refusing.Row("asker")
	producing    = language.Refusing.Row("producing")
	documents    = language.Refusing.Row("documents")
	befores      = language.Refusing.Row("before")
	speakers     = language.Refusing.Row("speaker")
	stops        = language.Refusing.Row("stop")
	stays        = language.Refusing.Row("stays")
	joints       = language.Refusing.Row("joint")
	modals       = language.Refusing.Row("modal")
	withins      = language.Refusing.Row("within")
	lights       = language.Refusing.Row("light")
	pronouns     = language.Refusing.Row("pronoun")
	whatevers    = language.Refusing.Row("whatever")
	takings      = language.Refusing.Row("taking")
	dryFlags     = language.Refusing.Row("dry")
)

// Lists of language.ToolActs.
var (
	eventNames   = language.ToolActs.Row("event")
	recordNames  = language.ToolActs.Row("record")
	entryNames   = language.ToolActs.Row("entry")
	publishing   = language.ToolActs.Row("publishing")
	thingNames   = language.ToolActs.Row("thing")
	runners      = language.ToolActs.Row("runner")
	ownTargets   = language.ToolActs.Row("target")
	interpreters = language.ToolActs.Row("interpreter")
	vagueNames   = language.ToolActs.Row("vague")
)

// baseOf returns the stem by which forms of a word meet.
func baseOf(word string) string { return language.LightStem(word) }

// rowsBy maps the key of each word of a table to the heads of its rows.
func rowsBy(t *language.Table, key func(string) string) func() map[string][]string {
	return sync.OnceValue(func() map[string][]string {
		all := map[string][]string{}
		for _, r := range t.Rows() {
			for _, w := range r.Words {
				if k := key(w); !slices.Contains(all[k], r.Head) {
					all[k] = append(all[k], r.Head)
				}
			}
		}
		return all
	})
}

var (
	verbKinds = rowsBy(language.ActVerbs, baseOf)
	nounKinds = rowsBy(language.ActNouns, strings.ToLower)
	sameThing = rowsBy(language.SameThings, strings.ToLower)
)

// thingOf returns the name by which words for the same thing meet.
func thingOf(word string) string {
	if same := sameThing()[word]; len(same) > 0 {
		return same[0]
	}
	return baseOf(word)
}

// isNamed reports whether a word is something's own name: a path, a file, a code, a channel, an address.
func isNamed(word string) bool {
	return strings.ContainsAny(word, "/._#@0123456789") || strings.Contains(word, "-") && !generals.Has(word) && !articles.Has(word)
}
