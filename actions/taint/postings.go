package taint

import (
	"unicode"
)

// posting lists the passages that hold a word, in order.
type posting struct{ passages []int32 }

// add adds a passage, unless it is the last one.
func (p *posting) add(n int) {
	if last := len(p.passages) - 1; last < 0 || p.passages[last] != int32(n) {
		p.passages = append(p.passages, int32(n))
	}
}

// postingsOf returns the passages of a reading by their words.
func postingsOf(passages []passage) map[string]*posting {
	all := map[string]*posting{}
	for n := range passages {
		for _, w := range wordsIn(passages[n].plain) {
			list := all[w]
			if list == nil {
				list = &posting{}
				all[w] = list
			}
			list.add(n)
		}
	}
	return all
}

// post takes in the words of a source whose first passage is given.
func (p *Provenance) post(words map[string]*posting, first int) {
	for w, list := range words {
		for i := range list.passages {
			list.passages[i] += int32(first)
		}
		if held := p.postings[w]; held != nil {
			held.passages = append(held.passages, list.passages...)
		} else {
			p.postings[w] = list
		}
	}
}

// holding returns the passages that hold the word.
func (p *Provenance) holding(word string) []int32 {
	if list := p.postings[word]; list != nil {
		return list.passages
	}
	return nil
}

// wordsIn returns the runs of letters and digits of a plain text. In a script without breaks between words, such as Chinese,
// a run of them is one word, and a word of another script beside it is another.
func wordsIn(plain string) []string {
	var words []string
	start, runs := -1, false
	for i, r := range plain {
		letter := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127 && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
		if start >= 0 && (!letter || unbroken(r) != runs) {
			words, start = append(words, plain[start:i]), -1
		}
		if letter && start < 0 {
			start, runs = i, unbroken(r)
		}
	}
	if start >= 0 {
		words = append(words, plain[start:])
	}
	return words
}

const maxSeen = 200 // passages in which a value is looked up

// seen returns the passages that hold the value.
func (p *Provenance) seen(plain string) []int {
	return remember(&p.memo.seen, plain, func() []int { return p.look(plain) })
}

func (p *Provenance) look(plain string) []int {
	var found []int
	for _, n := range p.rarest(plain) {
		if _, ok := holds(p.passages[n].plain, plain); ok {
			if found = append(found, int(n)); len(found) == maxSeen {
				break
			}
		}
	}
	return found
}

// rarest returns the passages that hold the rarest word of a plain text, none if a word of it is in no passage.
func (p *Provenance) rarest(plain string) (rarest []int32) {
	for i, w := range wordsIn(plain) {
		list := p.holding(w)
		if len(list) == 0 {
			return nil
		}
		if i == 0 || len(list) < len(rarest) {
			rarest = list
		}
	}
	return rarest
}
