package later

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// Wish is an order or a rule in one sentence, as it is compared with a later one. An order names the thing that it takes back; a statement of how things are has a
// subject and a verb, and memory/change compares those. A Wish never changes.
type Wish struct {
	clauses  []clause
	corrects bool // it says that it corrects something
	opens    bool // it begins with that
	adds     bool // it stands beside what was said
	tells    bool // a part of it only tells something of the speaker
}

// clause is a part of a wish, without words that name no matter.
type clause struct {
	words    []string // terms, and light words, in order
	related  []bool   // of each word: a preposition stands before it, by which it may name an occasion
	named    []string // the terms among them
	rejected []string // terms of what is wanted no more
	denied   bool
	permits  bool
	sets     bool // it says how something is or has to be
	now      bool // it says so of the present
	points   bool // it speaks of something that is named elsewhere
}

// longestWish is the most words of a sentence that is read as a wish, and phraseWords the most of a phrase of language.Wishes.
const (
	longestWish = 40
	phraseWords = 3
)

var wishRows = struct {
	adding, affirming, being, correcting, denying, light, opening, own, permitting, pointing, reason, relating, replacing, setting, wanting *language.Set
}{
	language.Wishes.Row("adding"), language.Wishes.Row("affirming"), language.Wishes.Row("being"), language.Wishes.Row("correcting"), language.Wishes.Row("denying"),
	language.Wishes.Row("light"), language.Wishes.Row("opening"), language.Wishes.Row("own"), language.Wishes.Row("permitting"), language.Wishes.Row("pointing"),
	language.Wishes.Row("reason"), language.Wishes.Row("relating"), language.Wishes.Row("replacing"), language.Wishes.Row("setting"), language.Wishes.Row("wanting"),
}

// ReadWish reads a sentence. A question, what a speaker tells of themselves, and what is too long for a wish give nil.
func ReadWish(sentence string) *Wish {
	sentence = strings.TrimSpace(sentence)
	parts := clausesOf(sentence)
	count := 0
	for _, p := range parts {
		count += len(p)
	}
	if strings.HasSuffix(sentence, "?") || count == 0 || count > longestWish {
		return nil
	}
	w := &Wish{}
	w.opens = at(wishRows.opening, parts[0], 0) > 0
	for _, words := range parts {
		if tells(words) {
			w.tells = true
			continue
		}
		if at(wishRows.reason, words, 0) > 0 {
			continue
		}
		if c := w.read(words); len(c.named) > 0 || len(c.rejected) > 0 {
			w.clauses = append(w.clauses, c)
		}
	}
	w.corrects = w.corrects || w.opens
	if len(w.clauses) == 0 {
		return nil
	}
	return w
}

// Plain reports whether the sentence wishes something and tells nothing of the speaker beside it.
func (w *Wish) Plain() bool { return w != nil && !w.tells }

// Forbids reports whether a part of the wish is a ban.
func (w *Wish) Forbids() bool {
	return w != nil && slices.ContainsFunc(w.clauses, func(c clause) bool { return c.denied })
}

// tells reports whether the speaker tells of themselves in a clause, and wishes nothing: it begins with them, without a word of wanting.
func tells(words []string) bool {
	n := at(wishRows.opening, words, 0) + at(wishRows.adding, words, 0)
	return n < len(words) && wishRows.own.Has(words[n]) && !slices.ContainsFunc(words, wishRows.wanting.Has)
}

// clausesOf cuts a sentence into words in lower case, by clauses: they end at marks, and before words of reason.
func clausesOf(sentence string) [][]string {
	parts := [][]string{nil}
	end := func() {
		if len(parts[len(parts)-1]) > 0 {
			parts = append(parts, nil)
		}
	}
	for field := range strings.FieldsSeq(strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))) {
		body := strings.TrimLeft(field, "`\"'“”‘([{<*-")
		word := strings.TrimRight(body, "`\"'“”)]}>*.,;:!?…")
		if word != "" {
			last := parts[len(parts)-1]
			if len(last) > 0 && (wishRows.reason.Has(word) || word == "and" || word == "but" || word == "or") {
				end()
			}
			if word != "and" && word != "but" && word != "or" {
				parts[len(parts)-1] = append(parts[len(parts)-1], word)
			}
		}
		if strings.ContainsAny(body[len(word):], ",;:.!?…)") {
			end()
		}
	}
	if len(parts[len(parts)-1]) == 0 {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		parts = [][]string{nil}
	}
	return parts
}

// at returns how many words a phrase of a list takes at a place; 0: there is none.
func at(list *language.Set, words []string, i int) int {
	for n := min(phraseWords, len(words)-i); n > 0; n-- {
		if list.Has(strings.Join(words[i:i+n], " ")) {
			return n
		}
	}
	return 0
}

// read reads a clause, and notes what it says of the whole wish.
func (w *Wish) read(words []string) (c clause) {
	rejecting, related := false, false
	for i := 0; i < len(words); {
		n := 1
		switch {
		case at(wishRows.adding, words, i) > 0:
			n, w.adds = at(wishRows.adding, words, i), true
		case at(wishRows.replacing, words, i) > 0:
			n, rejecting, w.corrects = at(wishRows.replacing, words, i), true, true
		case at(wishRows.correcting, words, i) > 0:
			n, w.corrects = at(wishRows.correcting, words, i), true
			c.denied = c.denied || at(wishRows.denying, words, i) > 0
		case i == 0 && len(w.clauses) == 0 && at(wishRows.opening, words, i) > 0 && (len(words) == 1 || words[0] != "no"):
			n = at(wishRows.opening, words, i)
		case at(wishRows.denying, words, i) > 0:
			n = at(wishRows.denying, words, i)
			switch affirms := at(wishRows.affirming, words, i+n); {
			case affirms > 0:
				n += affirms
			case len(c.named) > 0 && words[i] == "not" && !wishRows.light.Has(words[i-1]) && !wishRows.permitting.Has(words[i-1]):
				rejecting = true
			default:
				c.denied = true
			}
		case words[i] == "now":
			c.now = c.now || i > 0
		case at(wishRows.permitting, words, i) > 0:
			c.permits, c.sets = true, true
		default:
			c.sets, c.points = c.sets || wishRows.setting.Has(words[i]), c.points || wishRows.pointing.Has(words[i])
			related = related || wishRows.relating.Has(words[i]) && !complement(&c, words, i)
			before := len(c.words)
			w.take(&c, words[i], rejecting)
			if len(c.words) > before {
				c.related, related = append(c.related, related), false
			}
		}
		i += n
	}
	return c
}

// complement reports whether a word begins what the verb says of its subject or does by itself, as in "be in English" and "indent with tabs": such a place
// is no occasion.
func complement(c *clause, words []string, i int) bool {
	return (words[i] == "in" || words[i] == "with") && i > 0 && (wishRows.being.Has(words[i-1]) || len(c.words) == 1 && c.words[0] == language.Term(words[i-1]))
}

// take notes a word.
func (w *Wish) take(c *clause, word string, rejecting bool) {
	term := language.Term(word)
	switch {
	case wishRows.light.Has(word):
		if !rejecting && deeds.Has(word) {
			c.words = append(c.words, word)
		}
	case term == "":
	case rejecting:
		c.rejected = append(c.rejected, term)
	default:
		c.words = append(c.words, term)
		if Naming(lexicon.Look(word)) {
			c.named = append(c.named, term)
		}
	}
}

// TakenBack returns the probability that a later wish takes the earlier one back, by the words of both: 0, or change.LikelyFrom or more. Neither may be nil.
func (w *Wish) TakenBack(later *Wish) float64 {
	if later.adds {
		return 0
	}
	best := 0.0
	for i := range w.clauses {
		best = max(best, later.takesBack(&w.clauses[i]))
	}
	switch {
	case len(w.clauses) < 2:
		return best
	case best >= change.SureFrom: // another part of it holds on
		return change.LikelyFrom
	}
	return 0
}

// takesBack returns the same for a clause of an earlier wish.
func (w *Wish) takesBack(old *clause) (best float64) {
	if len(old.named) == 0 {
		return 0
	}
	for i := range w.clauses {
		c := &w.clauses[i]
		best = max(best, w.rejects(old, c), w.turns(old, c), w.otherwise(old, c))
	}
	return best
}

// rejects: the later clause names the thing that the earlier one wants as wanted no more, beside another in its place.
func (w *Wish) rejects(old, c *clause) float64 {
	rejected := slices.Clone(c.rejected)
	wanted, other := c, false
	if c.denied {
		for i := range w.clauses {
			if d := &w.clauses[i]; d != c && !d.denied && len(d.named) > 0 {
				wanted, other = d, true
				break
			}
		}
		if !other {
			return 0
		}
		rejected = append(rejected, c.named...)
	}
	hit := common(old.named, rejected)
	if old.denied || hit == 0 {
		return 0
	}
	rest := len(old.named) - hit - common(without(old.named, rejected), wanted.named)
	news := len(without(wanted.named, old.named))
	switch {
	case rest <= min(hit, 1) && (rest == 0 || news <= 1):
		return change.SureFrom
	case rest <= hit+1:
		return change.LikelyFrom
	}
	return 0
}

// turns: the later clause allows what the earlier one forbids, or the other way round. A ban holds on unless all that it names is named again, and a
// clause that speaks of more, or of something that is named elsewhere, may be an exception from it.
func (w *Wish) turns(old, c *clause) float64 {
	if old.denied == c.denied || len(c.named) == 0 || !w.corrects && !c.now && !c.permits && !old.permits {
		return 0
	}
	all, more := len(without(old.matter(), c.words)) == 0, len(without(c.named, old.named)) > 0
	switch {
	case old.denied && !all, common(old.named, c.named) == 0:
		return 0
	case !more && !c.points && (all || old.permits): // it speaks of no less than the earlier one
		return change.SureFrom
	case all, !more:
		return change.LikelyFrom
	}
	return 0
}

// matter returns the words of a clause without those that only say that something is done.
func (c *clause) matter() []string {
	return slices.DeleteFunc(slices.Clone(c.words), deeds.Has)
}

// otherwise: the later clause says the same with something else in one place, and that it corrects. Behind a preposition that place may name an occasion,
// beside which the earlier one holds on, and of two bans both may hold.
func (w *Wish) otherwise(old, c *clause) float64 {
	if old.denied != c.denied || !w.corrects && !(c.now && c.sets) {
		return 0
	}
	a, b := old.words, c.words
	front, back := 0, 0
	for front < min(len(a), len(b)) && a[front] == b[front] {
		front++
	}
	for back < min(len(a), len(b))-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	was, is := a[front:len(a)-back], b[front:len(b)-back]
	shared := common(a[:front], old.named) + common(a[len(a)-back:], old.named)
	occasion := slices.Contains(old.related[front:len(a)-back], true) || slices.Contains(c.related[front:len(b)-back], true)
	switch {
	case len(was) == 0 || len(is) == 0 || len(was) > mostSlot || len(is) > mostSlot:
		return 0
	case shared >= len(was) && !occasion && !old.denied:
		return change.SureFrom
	case shared > 0, w.opens && front > 0 && len(was) == 1 && len(is) == 1:
		return change.LikelyFrom
	}
	return 0
}

// mostSlot is the most words of what is wanted otherwise.
const mostSlot = 3

// deeds are the light words that an order begins with.
var deeds = language.Wishes.Row("deed")

func common(a, b []string) (n int) {
	for _, t := range a {
		if slices.Contains(b, t) {
			n++
		}
	}
	return n
}

func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(t string) bool { return slices.Contains(b, t) })
}
