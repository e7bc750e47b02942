package compiler

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
)

// Need is a part of the need of a step, in the words of the conversation. Weight is its share in the relevance of a memory, in (0, 1].
type Need struct {
	Text   string  `json:"text"`
	Weight float64 `json:"weight"`
	From   string  `json:"from"` // turn, part, request, opening, proposal, talk, calls, area
}

// talkFrom names the part of a need that is made of the last turns.
const talkFrom = "talk"

// The bounds of a need.
const (
	mostNeed = 1000 // characters of a part
	leaning  = 3    // words that name a matter: a turn with fewer leans on those before it
	substant = 4    // such words from which a turn is a request of its own
)

// The weights of the parts of a need: the nearer, the more. A turn that leans on others says less than they do.
const (
	turnWeight     = 1.0
	partWeight     = 0.9 // of each of several questions in one turn
	requestWeight  = 0.8
	proposalWeight = 0.9
	openingWeight  = 0.5
	callsWeight    = 0.6
	talkWeight     = 0.5
	besideWeight   = 0.5 // of a request, where the turn says what it is about
)

// needOf reads the need of a step: its turn, as far as that names a matter; the request that it belongs to, the proposal that it
// answers, and the calls that the request led to.
func needOf(said string, read []conversation.Message) (all []Need) {
	if takesLeave(said) {
		return nil
	}
	add := func(text string, weight float64, from string) {
		if text = ctxmcp.Cut(naked(text), mostNeed); text == "" || matters(text) == 0 {
			return
		}
		for _, n := range all {
			if n.Text == text {
				return
			}
		}
		all = append(all, Need{text, weight, from})
	}
	names := matters(said)
	add(said, turnWeight, "turn")
	for _, part := range questionsIn(said) {
		add(part, partWeight, "part")
	}
	opening, request := requestsIn(read)
	if names < leaning {
		add(lastSaid(read, conversation.Assistant), proposalWeight, "proposal")
		add(request, requestWeight, "request")
		if names > 0 {
			add(said+"\n"+request, requestWeight, "request")
		}
	} else {
		add(request, besideWeight, "request")
	}
	add(opening, openingWeight, "opening")
	add(talkIn(read), talkWeight, talkFrom)
	add(lastCalled(read), callsWeight, "calls")
	return all
}

// The words with which a question asks, a question that only they make, "since when", and those before which another one begins: "…, and by what time".
var (
	askingWord = language.NewPattern(`(?i)\b(who|whom|whose|what|when|where|which|how|why)\b`)
	bareAsked  = language.NewPattern(`(?i)^(also\s+)?((by|until|till|from|on|in|at|to|for|since|with|before|after)\s+)?(who|whom|whose|what|when|where|which|why|what\s+time|how(\s+(long|often|far|soon|early|late|many|much))?)$`)
	nextAsked  = language.NewPattern(`(?i)[,;:]?\s+and\s+(also\s+)?((by|until|from|on|in|at|to|for|since|with)\s+)?(who|whom|whose|what|when|where|which|how|why)\b|[.?!;:]\s+|\n`)
)

// questionsIn returns the questions of a turn that asks several: an answer to one says little of the others, and of all together. "Who has the key, and
// since when?" is one: its second half says nothing without the first.
func questionsIn(said string) (all []string) {
	from := 0
	part := func(to int) {
		if text := strings.TrimPrefix(strings.Trim(said[from:to], " .,;:!?\n"), "and "); askingWord.MatchString(text) && !bareAsked.MatchString(text) && matters(text) > 0 {
			all = append(all, text+"?")
		}
	}
	for _, at := range nextAsked.FindAllStringIndex(said, -1) {
		begin := at[0]
		part(begin)
		from = begin + 1
	}
	part(len(said))
	if len(all) < 2 {
		return nil
	}
	return all
}

// The words by which somebody takes leave, those that do so at the end of a clause only, and the words that say nothing beside them.
var (
	parting       = language.NewPattern(`(?i)\b%s\b`, language.Clauses.Row("parting"))
	partingOrder  = language.NewPattern(`(?i)\b%s[ \t]*(?P<end>[.,;:!)\n…–]|$)`, language.Clauses.Row("parting_order"))
	partingBeside = language.NewPattern(`(?i)^%s$`, language.Clauses.Row("parting_beside"))
)

// leftBeside is how many names a turn may have beside the words by which it takes leave.
const leftBeside = 2

// takesLeave reports whether a turn only takes leave, as "that's it for me, have a nice evening" does: beside that it has at most names.
func takesLeave(said string) bool {
	rest := partingOrder.ReplaceAllString(parting.ReplaceAllString(said, " , "), " , ${end}")
	if rest == said || strings.Contains(said, "?") {
		return false
	}
	names, begins := 0, true
	for field := range strings.FieldsSeq(strings.ReplaceAll(rest, "\n", " . ")) {
		if word := strings.Trim(field, ".,;:!()\"'…–-"); word != "" && !partingBeside.MatchString(strings.ReplaceAll(word, "’", "'")) {
			if names++; begins || !isName(word) || names > leftBeside {
				return false
			}
		}
		begins = strings.ContainsAny(field[len(field)-1:], ".!")
	}
	return true
}

// isName reports whether a word within a sentence can only be a name: it has a capital, and the lexicon does not know it.
func isName(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	lower := strings.ToLower(word)
	return unicode.IsUpper(first) && !lexicon.Look(lower).Known() && !language.StopWords.Has(lower) && !language.Assent.Has(lower)
}

// requestsIn returns the first and the last turn of the user that is a request of its own; "" if there is none.
func requestsIn(read []conversation.Message) (first, last string) {
	for i := range read {
		if m := &read[i]; m.Role == conversation.User && len(m.Answers()) == 0 {
			if text := saidBy(m); matters(text) >= substant {
				if first == "" {
					first = text
				}
				last = text
			}
		}
	}
	return first, last
}

// mostTalk is how many of the last turns of the user are read together: what they ask on the way belongs to the step.
const mostTalk = 6

// talkIn returns the last turns of the user, one below the other.
func talkIn(read []conversation.Message) string {
	var said []string
	for i := len(read) - 1; i >= 0 && len(said) < mostTalk; i-- {
		if m := &read[i]; m.Role == conversation.User && len(m.Answers()) == 0 {
			if text := saidBy(m); matters(text) > 0 {
				said = append(said, ctxmcp.Cut(text, mostNeed/mostTalk))
			}
		}
	}
	return strings.Join(said, "\n")
}

// naked returns a text without the words that name no matter: a request to write does not ask for what writes. A question stays as it is, for its
// form tells what it asks for.
func naked(text string) string {
	if text = strings.TrimSpace(text); strings.Contains(text, "?") {
		return text
	}
	var kept []string
	for _, w := range strings.Fields(text) {
		if t := language.Term(strings.Trim(strings.ToLower(w), ".,;:!()\"'")); t == "" || !assenting.Has(t) {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// lastSaid returns the last text that somebody said in the role.
func lastSaid(read []conversation.Message, role conversation.Role) string {
	for i := len(read) - 1; i >= 0; i-- {
		if m := &read[i]; m.Role == role {
			if text := saidBy(m); text != "" {
				return text
			}
		}
	}
	return ""
}

// lastCalled returns the names and the arguments of the last calls: the files and things in play.
func lastCalled(read []conversation.Message) string {
	for i := len(read) - 1; i >= 0; i-- {
		var b strings.Builder
		for j := range read[i].Parts {
			if p := &read[i].Parts[j]; p.Kind == conversation.Call {
				b.WriteString(p.Name + " " + p.Args + "\n")
			}
		}
		if b.Len() > 0 {
			return b.String()
		}
		if read[i].Role == conversation.User && len(read[i].Answers()) == 0 {
			return "" // they belong to an earlier step
		}
	}
	return ""
}

// subjectless are the terms of words that name no matter.
var subjectless, assenting = language.NoSubject.Terms(), language.Assent.Terms()

// matters returns how many different words of a text name a matter: those of assent and of every day count nothing.
func matters(text string) (n int) {
	for _, t := range language.Query(text) {
		if !subjectless.Has(t) && !assenting.Has(t) {
			n++
		}
	}
	return n
}
