package reduce

import (
	"math"
	"strings"
)

// statement holds the readings of a sentence that the agent or the user said.
type statement struct {
	words   int
	terms   []int32 // of the words that may tell what it is about, each once
	cues    cue
	opening cue  // of its first words
	place   int  // in its message, from 0
	before  int  // bytes of its message in front of it
	last    bool // of its message
	calls   bool // its message calls a tool
	later   float64
	again   float64 // how much of it a later sentence says again
	revised bool    // a later sentence says otherwise

	takenBack bool    // of the user: a later one surely takes its place
	doubted   []int32 // likewise: the lines of the later ones that likely do; -1: one that stays
	forbids   bool    // likewise: it is told without those too
}

// term is a word that may tell what a statement is about.
type term struct {
	sentences int32   // that hold it
	last      int32   // the last part of the conversation in which somebody said it, or called a tool with it
	in        []int32 // the lines of statements that hold it, in order; of a term that many hold, none
}

// leastTerm is the length of a word that may tell what a statement is about, commonTerm in how many statements at most.
const (
	leastTerm  = 4
	commonTerm = 24
)

// speech holds the sentences that the agent and the user said.
type speech struct {
	of    map[int32]*statement // by line
	terms []term
	vocab map[string]int32
}

func newSpeech() speech { return speech{of: map[int32]*statement{}, vocab: map[string]int32{}} }

// term returns the number of a term, and notes that it stands in a part.
func (s *speech) term(word string, seg int) int32 {
	id, known := s.vocab[word]
	if !known {
		id = int32(len(s.terms))
		s.vocab[strings.Clone(word)] = id
		s.terms = append(s.terms, term{})
	}
	s.terms[id].last = int32(seg)
	return id
}

// say takes in a sentence, which is a line of the corpus.
func (s *speech) say(id int32, text string, seg int) *statement {
	words := wordsOf(text)
	st := s.of[id]
	if st == nil {
		st = &statement{words: len(words)}
		st.cues, st.opening = cuesOf(words)
		s.of[id] = st
		seen := map[int32]bool{}
		for _, w := range words {
			if len(w) < leastTerm {
				continue
			}
			t := s.term(w, seg)
			if !seen[t] {
				seen[t] = true
				st.terms = append(st.terms, t)
				s.terms[t].sentences++
				if len(s.terms[t].in) <= commonTerm {
					s.terms[t].in = append(s.terms[t].in, id)
				}
			}
		}
		return st
	}
	for _, t := range st.terms {
		s.terms[t].last = int32(seg)
	}
	return st
}

// hear notes the words of a text that is no statement of the corpus: a call, or what stays.
func (s *speech) hear(text string, seg int) {
	for _, w := range wordsOf(text) {
		if t, known := s.vocab[w]; known {
			s.terms[t].last = max(s.terms[t].last, int32(seg))
		}
	}
}

// weight returns how much a term tells: the fewer statements hold it, the more.
func (s *speech) weight(t int32) float64 {
	return 1 / (1 + math.Log2(float64(s.terms[t].sentences)))
}

// follow finds out, of every statement, how much of it is spoken of later, and how much of it a later statement says again.
func (c *corpus) followSpeech() {
	shared := map[int32]float64{}
	for i := range c.lines {
		st := c.speech.of[int32(i)]
		if st == nil {
			continue
		}
		clear(shared)
		all, later := 0.0, 0.0
		for _, t := range st.terms {
			w := c.speech.weight(t)
			all += w
			if int(c.speech.terms[t].last) > c.lines[i].seg {
				later += w
			}
			if len(c.speech.terms[t].in) > commonTerm {
				continue
			}
			for _, other := range c.speech.terms[t].in {
				if c.lines[other].seg > c.lines[i].seg {
					shared[other] += w
				}
			}
		}
		if all == 0 {
			continue
		}
		st.later = later / all
		for other, w := range shared {
			st.again = max(st.again, w/all)
			st.revised = st.revised || w >= revisedShare*all && c.revises(int32(i), other)
		}
	}
}

// revisedShare is how much of a statement a later one must say again to revise it.
const revisedShare = 0.5

// revises reports whether a later statement says otherwise of the same: with another figure, or in words that take something back.
func (c *corpus) revises(older, newer int32) bool {
	a, b := c.lines[older].text, c.lines[newer].text
	if c.speech.of[newer].cues&cueOf("correction") != 0 {
		return true
	}
	figures := map[string]bool{}
	scanNumbers(b, func(n string) { figures[n] = true })
	missing, same := 0, 0
	scanNumbers(a, func(n string) {
		if figures[n] {
			same++
		} else {
			missing++
		}
	})
	return missing > 0 && len(figures) > same
}
