package change

import "sync"

// notes keep readings of a statement's words, which each comparison asks for. The first one makes them.
type notes struct {
	words  sync.Once // guards the three below
	detail []valueKind
	place  []bool
	cut    [][]token

	kinds       sync.Once // guards the two below
	surely, may Told
}

func (r *Reading) readWords() {
	n := r.notes
	n.detail, n.place = make([]valueKind, len(r.tokens)), make([]bool, len(r.tokens))
	from := 0
	for i := range r.tokens {
		n.detail[i], n.place[i] = r.readDetail(i), r.readPlace(i)
		if i+1 == len(r.tokens) || r.tokens[i+1].clause != r.tokens[i].clause {
			n.cut = append(n.cut, r.tokens[from:i+1:i+1])
			from = i + 1
		}
	}
}

func (r *Reading) readKinds() {
	r.notes.surely = r.readSurely()
	r.notes.may = r.notes.surely | r.readMay()
}

// detailAt returns the kind of the value at i: a number that stands for a day of the month is a day, "on the 3rd", "on the first", and one that stands for an hour
// is that, "at 7".
func (r *Reading) detailAt(i int) valueKind {
	r.notes.words.Do(r.readWords)
	return r.notes.detail[i]
}

// isPlace reports whether the word at i is the first of a place behind a word such as "in" or "at": a name, or a thing that is no time and no manner.
func (r *Reading) isPlace(i int) bool {
	r.notes.words.Do(r.readWords)
	return r.notes.place[i]
}

// cutClauses returns the words of each clause, in order. The caller must not change them.
func (r *Reading) cutClauses() [][]token {
	r.notes.words.Do(r.readWords)
	return r.notes.cut
}

// kindsTold returns the kinds of things that the statement surely tells of its subject.
func (r *Reading) kindsTold() Told {
	r.notes.kinds.Do(r.readKinds)
	return r.notes.surely
}

// mayTellOf returns the kinds of things that the statement may tell. Any name may be that of a person, and one behind the verb that of a place too; a word such as
// "earlier" may tell a day or an hour.
func (r *Reading) mayTellOf() Told {
	r.notes.kinds.Do(r.readKinds)
	return r.notes.may
}
