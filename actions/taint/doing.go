package taint

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

var (
	lookOrders    = language.Looking.Row("order")
	lookQuestions = language.Looking.Row("question")
	lookForMe     = language.Looking.Row("for_me")
	lookMe        = language.Looking.Row("me")
	lookOpening   = language.Looking.Row("opening")
	lookGetting   = language.Looking.Row("getting")
	lookWays      = language.Looking.Row("way")
	lookArticles  = language.Looking.Row("article")
	lookBehind    = language.Looking.Row("behind")
	lookMending   = language.Looking.Row("mending")
	phraseOpeners = language.Looking.Row("phrase")

	bookingVerbs = language.Bookkeeping.Row("verb")
	bookEntries  = language.Bookkeeping.Row("entry")
)

// doing returns the words of a sentence of the user without those of clauses that only ask to look: who has the reviews read asks for none to be
// written.
func doing(tokens []token) []token {
	var kept []token
	looks := false
	for len(tokens) > 0 {
		n := clauseEnd(tokens)
		clause := tokens[:n]
		tokens = tokens[n:]
		if is, known := onlyLooks(clause); known {
			looks = is
		}
		if !looks {
			kept = append(kept, clause...)
		}
	}
	return kept
}

// phrasesOf are the patterns of the phrases that ask for effects, by class.
var phrasesOf = sync.OnceValue(func() map[string]*language.Pattern {
	all := map[string]*language.Pattern{}
	for _, row := range language.EffectPhrases.Rows() {
		all[row.Head] = language.NewPattern(`(?i)(?:^|[^\w-])%s(?:[^\w-]|$)`, language.EffectPhrases.Row(row.Head))
	}
	return all
})

// notePhrases keeps the classes of effects that a phrase asks for, in a sentence that asks for more than to look, or to get something.
func (p *heard) notePhrases(text string) {
	for _, at := range sentencesOf(text, 0, len(text)) {
		sentence := text[at.start:at.end]
		tokens := tokensOf(sentence)
		if len(tokens) == 0 || strings.HasSuffix(sentence, "?") || len(doing(tokens)) == 0 && !phraseOpeners.Has(tokens[0].word) {
			continue
		}
		for class, phrases := range phrasesOf() {
			if phrases.MatchString(sentence) {
				p.userPhrases[class] = true
			}
		}
	}
}

// entered returns a clause without the words that ask for a payment where it only has one written down: "book the invoice".
func entered(clause []token) []token {
	verb := slices.IndexFunc(clause, func(t token) bool { return bookingVerbs.Has(t.word) })
	isEntry := func(t token) bool { return bookEntries.Has(t.word) }
	if verb < 0 || !slices.ContainsFunc(clause[verb:], isEntry) || slices.ContainsFunc(clause[:verb], isEntry) {
		return clause
	}
	kept := slices.DeleteFunc(slices.Clone(clause), isEntry)
	kept[verb].word, kept[verb].stem = "record", stemOf("record")
	return kept
}

// clauseEnd returns how many of the tokens are of the first clause.
func clauseEnd(tokens []token) int {
	for i := 1; i < len(tokens); i++ {
		if t := tokens[i]; t.word == "and" || t.word == "then" || strings.IndexByte(",;:!", t.sign) >= 0 && t.sign != 0 {
			return i
		}
	}
	return len(tokens)
}

// onlyLooks reports whether the first verb of a clause asks to look and no more. known is false for a clause without such a verb: it goes on
// with the clause before.
func onlyLooks(clause []token) (looks, known bool) {
	for i, t := range clause {
		next := ""
		if i+1 < len(clause) {
			next = clause[i+1].word
		}
		switch {
		case opensWay(clause[i:]):
			return false, true
		case lookForMe.Has(t.word) && lookMe.Has(next):
			return true, true
		case lookQuestions.Has(t.word) && i == 0, lookOrders.Has(t.word):
			return true, true
		case verbEffects()[t.stem] != 0 || requestStems()[t.stem]:
			return false, true
		case !openers.Has(t.word) && t.word != "i" && t.word != "and" && t.word != "then" && t.word != "to" && t.word != "would" && t.word != "like":
			return false, i == 0 && clauseOpens(clause)
		}
	}
	return false, false
}

// opensWay reports whether a clause that begins with a word of looking asks for a way in: to open something, or to get somebody access. The way ends
// what the verb is about: the firewall is opened, and the firewall log is looked at.
func opensWay(clause []token) bool {
	const near = 3 // words of the object, before its last
	got := lookGetting.Has(clause[0].word)
	if !got && !lookOpening.Has(clause[0].word) {
		return false
	}
	for i := 1; i < min(len(clause), near+2); i++ {
		t := clause[i]
		if t.word == "about" || t.word == "of" {
			return false
		}
		if !lookWays.Has(t.word) || got && (i == 1 && i+1 == len(clause) || lookArticles.Has(clause[1].word)) {
			continue
		}
		if i+1 == len(clause) || lookBehind.Has(clause[i+1].word) || isNumber(clause[i+1].word) {
			return true
		}
	}
	return false
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// clauseOpens reports whether a clause is no continuation of a list: it has a verb of its own.
func clauseOpens(clause []token) bool {
	for _, t := range clause {
		if verbEffects()[t.stem] != 0 {
			return true
		}
	}
	return false
}

// asksIn reports whether a clause has a verb that asks for an effect, or a value for it, such as a new password.
func asksIn(clause []token) bool {
	return slices.ContainsFunc(clause, func(t token) bool {
		return !things()[t.stem] && (verbEffects()[t.stem] != 0 || requestStems()[t.stem] || lookMending.Has(t.word)) || IsCode(t.word) && strings.Trim(t.word, "0123456789") != ""
	})
}

// things are the stems of the words by which users ask for effects only beside a verb.
var things = sync.OnceValue(func() map[string]bool { return stemsOf(language.EffectThings) })

// requestStems are the stems of the words by which users ask for effects.
var requestStems = sync.OnceValue(func() map[string]bool { return stemsOf(language.EffectRequests) })

// stemsOf returns the stems of all words of a table.
func stemsOf(t *language.Table) map[string]bool {
	all := map[string]bool{}
	for _, row := range t.Rows() {
		for _, w := range row.Words {
			all[language.LightStem(w)] = true
		}
	}
	return all
}
