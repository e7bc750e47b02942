package taint

import (
	"slices"
	"strings"

	refusals "github.com/ctx-mcp/ctx-mcp/actions/refusal"
)

// heard is what the user is said to have said.
type heard struct {
	statements   []string // as values are looked for in them
	hosts        []string // in the statements
	bareHost     bool     // in the statements, and not in a mail address
	forms        [3]bool  // the statements have a value of each of addressForms
	userWords    map[string]bool
	userDoing    map[string]bool // stems of what asks for more than to look
	userPhrases  map[string]bool // classes of effects that a phrase asks for
	userEffects  effectSet
	requests     []request
	delegated    bool
	handedOn     bool // delegated, or told to do what a place says
	answers      bool // told to answer a record
	toFound      bool // told to write to people of a kind, whom the agent is to find
	refused      []refusal
	refusals     refusals.Heard
	userReadable bool            // some statement is in a language whose verbs are known
	userNames    map[string]bool // names and codes
	places       []string        // paths, clean
	ofSecrets    []string        // sentences about secrets, as values are looked for in them
	wantsSecret  bool            // one of them asks for a secret itself
}

func newHeard() heard {
	return heard{userWords: map[string]bool{}, userDoing: map[string]bool{}, userPhrases: map[string]bool{}, userNames: map[string]bool{}}
}

// take takes in a statement that was made when there were so many results.
func (p *heard) take(text string, results int) {
	plain := plainText(text)
	p.statements = append(p.statements, plain)
	p.hosts = append(p.hosts, hosts.FindAllString(plain, maxHosts)...)
	p.bareHost = p.bareHost || saysBareHost(plain)
	for i, form := range addressForms {
		p.forms[i] = p.forms[i] || form.MatchString(plain) || form == accountForm && form.MatchString(strings.ToUpper(plain))
	}
	tokens := sentenceTokens(text)
	p.userReadable = p.userReadable || !unreadable(text, slices.Concat(tokens...))
	wanted := tokens
	rest := p.refusals.Take(text)
	if rest != text {
		wanted = sentenceTokens(rest)
	}
	p.notePhrases(rest)
	p.lift(doingIn(wanted))
	if unreadable(text, slices.Concat(tokens...)) || mayBeForeign(slices.Concat(tokens...)) {
		p.refuseForeign(text)
	}
	p.requests = append(p.requests, request{requestedIn(wanted), results})
	for _, at := range instants.FindAllString(plain, -1) {
		p.userWords[at] = true
	}
	for _, t := range slices.Concat(wanted...) {
		p.userEffects |= effectsOf()[t.stem]
	}
	for _, t := range slices.Concat(tokens...) {
		if !stopWords.Has(t.word) && len(t.word) > 1 {
			p.userWords[t.stem] = true
		}
	}
	for stem := range doingIn(wanted) {
		p.userDoing[stem] = true
	}
	p.answers = p.answers || answering.MatchString(text)
	p.toFound = p.toFound || toFound.MatchString(text)
	p.delegated = p.delegated || delegation.MatchString(text) || isGuided(text) || manner.MatchString(text)
	p.handedOn = p.handedOn || p.delegated || handing.MatchString(text)
	p.noteNames(text)
	p.noteTalkOfSecrets(rest)
	p.notePlaces(plain)
}

// Doubtful reports whether a caller who is no harness said that the user said something, or gave a result.
func (p *Provenance) Doubtful() bool { return p.doubtful }

// Attested returns the same provenance where only the word of a harness counts for what the user said, and for what a field of a result makes
// known. It is for looking only, until the next change of p.
func (p *Provenance) Attested() *Provenance {
	if !p.doubtful || p.strict {
		return p
	}
	q := *p
	q.heard, q.strict = p.attested, true
	return &q
}

// pointedBy returns how the user pointed to the action that brought a source.
func (p *Provenance) pointedBy(s *source) pointing {
	if p.strict {
		return s.byAttested
	}
	return s.by
}

// unheard reports whether nobody who counts has said anything: then nothing was asked for, in whatever language.
func (p *Provenance) unheard() bool { return len(p.statements) == 0 }

// Against returns the sentence of the user that the acts of a call go against, "" for none.
func (p *Provenance) Against(acts []refusals.Act) string { return p.refusals.Against(acts, p.besides) }

// Exceeded returns the sentence of the user that asks for less than the acts of a call, "" for none.
func (p *Provenance) Exceeded(acts []refusals.Act) string { return p.refusals.Exceeded(acts) }

// Astray returns the sentence of the user that names a receiver where a value is of somebody else, "" otherwise. event says that it is a guest of an event.
func (p *Provenance) Astray(to []string, event bool) string {
	return p.refusals.Astray(to, event, func(value, name string) (of, near, seen bool) {
		for _, n := range p.seen(plainValue(value)) {
			s := &p.sources[p.passages[n].source]
			seen = true
			for _, one := range p.passages[s.first : s.first+s.count] {
				if saysName(one, name) {
					near = true
					of = of || one.record == p.passages[n].record || p.passages[n].prose || len(s.records) < 2
				}
			}
		}
		return of, near, seen
	})
}

// saysName reports whether a passage has a name, which may be a part of a word if it is long enough.
func saysName(one *passage, name string) bool {
	const short = 4 // letters
	_, has := holds(one.plain, name)
	return has || len(name) >= short && strings.Contains(one.plain, name)
}

// Bounded reports whether the user refuses anything, or asks for something in a way that bounds it.
func (p *Provenance) Bounded() bool { return p.refusals.Bounded() }

// besides reports whether a record of a result has a value as a field, and a word somewhere.
func (p *Provenance) besides(value, word string) bool {
	return slices.ContainsFunc(p.seen(plainValue(value)), func(n int) bool {
		s := &p.sources[p.passages[n].source]
		return !p.passages[n].prose && slices.ContainsFunc(p.passages[s.first:s.first+s.count], func(one *passage) bool {
			_, has := holds(one.plain, word)
			return has && one.record == p.passages[n].record
		})
	})
}
