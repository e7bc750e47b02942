package taint

import (
	"math"
	"slices"
	"strconv"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// namedByUser reports whether the user named what the calls are about: one of their values is a name, a path or an address that
// the user said, or that stands in a short value of a record which the user pointed to.
func (p *Provenance) namedByUser(calls []Call) bool {
	for _, c := range calls {
		for _, v := range valuesOf(c) {
			short := len(v.plain) < 3
			if v.shape == amountShape || short && !(v.whole && idNames.MatchString(v.argument)) {
				continue
			}
			if !short && p.stated(v.plain) || v.shape != phraseShape && p.recorded(v.plain, true) {
				return true
			}
		}
		if slices.ContainsFunc(numbersIn(c), func(n string) bool { return len(n) > 2 && p.stated(n) || p.recorded(n, true) }) {
			return true
		}
	}
	return false
}

// numbersIn returns the whole numbers by which a call says which records it means.
func numbersIn(c Call) (all []string) {
	for name, v := range c.Parameters {
		if n, is := v.(float64); is && n == math.Trunc(n) && n >= 0 && idNames.MatchString("/"+name) {
			all = append(all, strconv.FormatFloat(n, 'f', -1, 64))
		}
	}
	return all
}

// idNames matches the name of an argument that says which record is meant.
var idNames = language.NewPattern(`(?i)(?:_id|Id|ID|^/id|/uid|key|number|ref)s?(?:/\d+)?$`)

// recorded reports whether a short value of a record is, or holds, the value; of a record that the user pointed to if linked is
// set.
func (p *Provenance) recorded(plain string, linked bool) bool {
	m := &p.looked().recorded
	if linked {
		m = &p.looked().touching
	}
	return remember(m, plain, func() bool { return p.inRecord(plain, linked) })
}

func (p *Provenance) inRecord(plain string, linked bool) bool {
	for _, n := range p.seen(plain) {
		pass := p.passages[n]
		s := &p.sources[pass.source]
		if !pass.prose && s.instruction == nil && (len(plain) >= 3 || pass.plain == plain) && (!linked || p.linked(s, pass.record)) {
			return true
		}
	}
	return false
}

// linked reports whether the user pointed to the record: a short value of it, or of one around it, shares a word with the user
// that few records have, or it is all of a page or a file that the user named.
func (p *Provenance) linked(s *source, record int) bool {
	if p.pointedBy(s).userNamed && len(s.records) <= 2 {
		return true
	}
	key := [2]int{s.index, record}
	return remember(&p.looked().linked, key, func() bool { return p.mentionedAround(s, record) })
}

// memo holds the look-ups since the last change. The zero value is empty.
type memo struct {
	seen            map[string][]int
	heard, attested lookups // by all that was heard, and by the attested part
}

// lookups holds the look-ups that depend on the user's words.
type lookups struct {
	linked   map[[2]int]bool // by source and record
	recorded map[string]bool
	touching map[string]bool // recorded, by a record that the user pointed to
	pointed  map[[2]int]bool // by source and record
	stated   map[string]bool
	telling  []string // words of the user that may tell a record from others
	unstated origins  // of the call that was asked about last
}

// origins are the values of a call that the user did not say.
type origins struct {
	of  *value // the first one of the call
	all []origin
}

// looked returns the look-ups by the words that count.
func (p *Provenance) looked() *lookups {
	if p.strict {
		return &p.memo.attested
	}
	return &p.memo.heard
}

// remember returns the value for the key, which is made once.
func remember[K comparable, V any](m *map[K]V, key K, value func() V) V {
	if v, known := (*m)[key]; known {
		return v
	}
	if *m == nil {
		*m = map[K]V{}
	}
	v := value()
	(*m)[key] = v
	return v
}

func (p *Provenance) mentionedAround(s *source, record int) bool {
	for record >= 0 {
		if p.mentionsUserWord(&s.records[record]) {
			return true
		}
		if record = s.records[record].parent; record > 0 && s.records[record].parent <= 0 {
			return false // the text around everything says nothing of a part
		}
	}
	return false
}

// mentionsUserWord reports whether a short value of the record has a word that the user said and few records have.
func (p *Provenance) mentionsUserWord(r *record) bool {
	if len(r.words) == 0 {
		return false
	}
	return slices.ContainsFunc(p.telling(), func(w string) bool { return r.words[w] && p.rare(w) })
}

// telling returns the words of the user that may tell a record from others.
func (p *Provenance) telling() []string {
	m := p.looked()
	if m.telling == nil {
		m.telling = []string{}
		for w := range p.userWords {
			if effectsOf()[w] == 0 && !reads.Has(w) {
				m.telling = append(m.telling, w)
			}
		}
	}
	return m.telling
}

// rare reports whether a word tells records apart: most do not have it.
func (p *Provenance) rare(w string) bool {
	return p.frequent[w]*3 <= p.records+2 || p.frequent[w] <= 2
}

// Entities returns the declared entities and the addresses that the parameters of a call hold.
func (p *Provenance) Entities(c Call) []string {
	var found []string
	for _, v := range valuesOf(c) {
		for _, e := range p.entities {
			if plain := plainText(e); plain != "" {
				if _, ok := holds(v.plain, plain); ok {
					found = include(found, e)
				} else if _, ok := holds(plain, v.plain); ok && v.shape != amountShape {
					found = include(found, e)
				}
			}
		}
		if v.shape == addressShape {
			found = include(found, v.text)
		}
	}
	return found
}
