package envelope

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
	meaning "github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/language/relations"
)

// longestQuestion bounds the part of a question that is read, in bytes.
const longestQuestion = 4000

// mostTerms is how many terms of a question count: a set of them is a word of bits.
const mostTerms = 64

// need is a question, read once. A nil need wants nothing in particular.
type need struct {
	terms   []string          // the stems of its words, without stop words
	common  []float64         // of each term: how common it is in English, from 0 to 1
	stands  map[string][]hit  // the terms that a stem stands for
	known   map[string][]hit  // the terms that a word stands for, as far as words were met
	exact   map[string]string // identifiers, numbers and paths of more than one part, in lower case, by their first part
	answers map[relations.Kind]bool
	odd     bool           // asks for what is out of the ordinary
	forms   []string       // the terms as the question has them
	not     []bool         // of each term: the question asks for what is without it
	own     map[string]int // the number of the term that a word is; -1 for none; as far as words were met
	by      []string       // the terms of the groups of which it asks for each
	most    bool           // asks for the greatest
	least   bool
}

// hit says that a text speaks of the term of a question with the number, and how surely: 1 for the word itself.
type hit struct {
	term     int
	strength float64
}

// strengths are the weights of a word that is near one of the question, beside that word itself.
var strengths = map[meaning.Channel]float64{
	meaning.Same: 1, meaning.Software: 0.8, meaning.Synonym: 0.7, meaning.Ancestor: 0.35, meaning.Gloss: 0.2, meaning.Related: 0.2,
	meaning.Antonym: 0.5, // "unpaid" is asked of what says "paid"
}

// leastStrength is the strength from which a near word counts.
const leastStrength = 0.12

// readNeed reads a question; nil for one without words.
func readNeed(question string) *need {
	question = first(question, longestQuestion)
	n := &need{stands: map[string][]hit{}, known: map[string][]hit{}, own: map[string]int{}, exact: map[string]string{}, answers: map[relations.Kind]bool{}}
	denied := 0 // the end of the last word that is denied
	eachWord(question, func(form []byte, at int) bool {
		not := deniedBefore.MatchString(question[max(0, at-40):at]) || denied > 0 && at == denied+1 && question[denied] == ' '
		if not {
			denied = at + len(form)
		}
		if n.add(string(form)) {
			n.forms, n.not = append(n.forms, question[at:at+len(form)]), append(n.not, not)
		}
		return len(n.terms) < mostTerms
	})
	if len(n.terms) == 0 {
		return nil
	}
	for field := range strings.FieldsSeq(question) {
		n.addExact(strings.Trim(field, `.,;:!?"'()[]{}<>`+"`"))
	}
	for _, k := range relations.KindsAsked(question) {
		n.answers[k] = true
	}
	for _, w := range language.Words(question) {
		n.odd = n.odd || oddWords.Has(language.LightStem(w))
		n.most, n.least = n.most || greatestWord.Has(w), n.least || leastWord.Has(w)
	}
	n.odd = n.odd || slices.Contains(n.not, true)
	n.by = groupTerms(question)
	return n
}

// deniedBefore matches the words before one that a question denies.
var deniedBefore = language.NewPattern(`(?i)(\b(not|never|without|no|nor|but|except|besides|other than|apart from|aside from)|n't)( (yet|been|an?|the|in|on|by))? +$`)

// add makes a word a term, with the words near it. It reports whether the word was none before.
func (n *need) add(form string) (fresh bool) {
	stem := language.Term(form)
	if stem == "" || len(n.stands[stem]) > 0 && n.stands[stem][0].strength == 1 {
		return false
	}
	number := len(n.terms)
	n.terms, n.common = append(n.terms, stem), append(n.common, meaning.Commonness(form))
	n.stands[stem] = append([]hit{{number, 1}}, n.stands[stem]...)
	for _, link := range meaning.Neighbours(form) {
		strength := strengths[link.Channel] * (0.5 + link.Weight/2)
		if near := language.Term(link.Word); strength >= leastStrength && near != "" && near != stem {
			n.stands[near] = append(n.stands[near], hit{number, strength})
		}
	}
	return true
}

// ownOf returns the number of the term that a word is; -1 if it is none, though it may stand for one.
func (n *need) ownOf(form []byte) int {
	number, known := n.own[string(form)]
	if !known {
		number = slices.Index(n.terms, language.Term(string(form)))
		n.own[string(form)] = number
	}
	return number
}

// addExact keeps a name of several parts: such a one is found as a whole too.
func (n *need) addExact(name string) {
	parts := 0
	head := ""
	eachWord(name, func(form []byte, _ int) bool {
		if parts++; parts == 1 {
			head = string(form)
		}
		return true
	})
	if parts > 1 && len(name) < 200 {
		n.exact[head] = strings.ToLower(name)
	}
}

// hitsOf returns the terms of which a text speaks, each once with its greatest strength; whole counts the names of several parts
// that stand in it as they are written in the question.
func (n *need) hitsOf(text string) (hits []hit, whole int) {
	if n == nil {
		return nil, 0
	}
	var seen uint64
	eachWord(text, func(form []byte, _ int) bool {
		found := n.hitsOfWord(form)
		for _, h := range found {
			hits = strongest(hits, &seen, h)
		}
		if len(found) > 0 && n.exact[string(form)] != "" && containsFold(text, n.exact[string(form)]) {
			whole++
		}
		return true
	})
	return hits, whole
}

// hitsOfWord returns the terms that a word stands for.
func (n *need) hitsOfWord(form []byte) []hit {
	found, read := n.known[string(form)]
	if !read {
		found = n.stands[language.Term(string(form))]
		n.known[string(form)] = found
	}
	return found
}

var (
	timeForm   = language.NewPattern(`\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d|\b\d{8}T\d{4}|\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d|\d\.? +(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)`)
	numberForm = language.NewPattern(`\d`)
)

// told reports whether a text tells of a kind that the question asks for.
func (n *need) told(text string) bool {
	text = first(text, 1000)
	if (n.answers[relations.Time] || n.answers[relations.Duration]) && timeForm.MatchString(text) ||
		(n.answers[relations.Amount] || n.answers[relations.Number] || n.answers[relations.Duration]) && numberForm.MatchString(text) ||
		n.answers[relations.Reason] && failureWord.MatchString(text) {
		return true
	}
	return slices.ContainsFunc(relations.KindsTold(text), func(k relations.Kind) bool { return n.answers[k] })
}

// strongest adds a hit to hits, of which seen has the terms.
func strongest(hits []hit, seen *uint64, h hit) []hit {
	if *seen&(1<<h.term) == 0 {
		*seen |= 1 << h.term
		return append(hits, h)
	}
	for i := range hits {
		if hits[i].term == h.term {
			hits[i].strength = max(hits[i].strength, h.strength)
		}
	}
	return hits
}

func containsFold(text, lowered string) bool { return strings.Contains(strings.ToLower(text), lowered) }

// longestWord bounds a word that is looked up, in bytes.
const longestWord = 40

// eachWord yields the words of a text in lower case, with their places, until told to stop: runs of letters, parted at capitals within,
// and runs of digits. A word is good until the next one is yielded.
func eachWord(text string, yield func(form []byte, at int) bool) {
	var buffer [longestWord]byte
	for i := 0; i < len(text); {
		class := letterClass(text[i])
		if class == noWord {
			i++
			continue
		}
		begin, plainASCII := i, true
		for i < len(text) && goesOn(text, begin, i) {
			plainASCII = plainASCII && text[i] < utf8.RuneSelf
			i++
		}
		switch {
		case i-begin > longestWord:
		case plainASCII:
			for j := begin; j < i; j++ {
				buffer[j-begin] = text[j]
				if upper(text[j]) {
					buffer[j-begin] |= 0x20
				}
			}
			if !yield(buffer[:i-begin], begin) {
				return
			}
		default:
			for _, w := range language.Words(text[begin:i]) {
				if !yield([]byte(w), begin) {
					return
				}
			}
		}
	}
}

type wordClass uint8

const (
	noWord wordClass = iota
	letters
	digits
)

// classes has the class of each byte. A byte of a longer sign counts as a letter.
var classes = func() (all [256]wordClass) {
	for i := range all {
		switch c := byte(i); {
		case lower(c) || upper(c) || c >= utf8.RuneSelf:
			all[i] = letters
		case '0' <= c && c <= '9':
			all[i] = digits
		}
	}
	return all
}()

func letterClass(c byte) wordClass { return classes[c] }

// goesOn reports whether the word that began at begin has its next byte at i.
func goesOn(text string, begin, i int) bool {
	if i == begin {
		return true
	}
	before, c := text[i-1], text[i]
	if letterClass(c) != letterClass(before) {
		return false
	}
	switch {
	case !upper(c) || c >= utf8.RuneSelf:
		return true
	case !upper(before):
		return false // aB
	}
	return i+1 == len(text) || !lower(text[i+1]) // the last capital of HTTPClient begins a word
}
