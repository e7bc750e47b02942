package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Authority says on whose word a value of a call stands. The words stand in rules and findings: append only.
type Authority string

// The authorities, from the strongest.
const (
	OfUser   Authority = "user"   // the user said it
	OfKnown  Authority = "known"  // a field of a record has it, or it was approved before
	OfRecord Authority = "record" // a text has it to which the user handed on
	OfAgent  Authority = "agent"  // the agent chose it
	OfText   Authority = "text"   // only free text has it that somebody else wrote
)

// Authorities lists the vocabulary.
func Authorities() []Authority { return []Authority{OfUser, OfKnown, OfRecord, OfAgent, OfText} }

// Weaker reports whether a stands on less than b.
func (a Authority) Weaker(b Authority) bool {
	return slices.Index(Authorities(), a) > slices.Index(Authorities(), b)
}

// Standing says on whose word a value stands, and which passage shows that.
type Standing struct {
	Authority Authority
	Told      bool // the passage tells somebody to do something
	Itself    bool // it does so itself, and not only a neighbour
	Speaks    bool // it speaks to a machine over the user's head, poses as somebody, or hides
	Pointed   bool // with OfRecord: the user pointed to the text, and may have handed on nothing
	Vouched   bool // with OfKnown: it is of the one whom a text is of to which the user pointed, as a look-up showed
	Other     bool // the user gave another value of the form
	OtherHost bool // the user named another host, by its name alone, and it is no mail address
	Evidence  []ctxmcp.Evidence
}

// Stands tells on whose word a value stands that is the argument of a call. host is its host where the value is an address, whose other
// parts the agent may have chosen.
func (p *Provenance) Stands(argument, text, host string) Standing {
	if host != "" && p.statedHost(host) {
		return Standing{Authority: OfUser}
	}
	return p.StandsItself(argument, text, host)
}

// StandsItself is Stands for a value whose host counts as said by the user only as it is: not as a part of one that was said, nor the other way
// round.
func (p *Provenance) StandsItself(argument, text, host string) Standing {
	plain := p.spelt(plainValue(text))
	if plain == "" || p.stated(plain) || host != "" && p.stated(host) {
		return Standing{Authority: OfUser}
	}
	if p.approved[plain] || host != "" && p.approved[host] {
		return Standing{Authority: OfKnown}
	}
	if p.vouched(plain) {
		return Standing{Authority: OfKnown, Vouched: true}
	}
	seen := p.seenOutside(plain)
	if len(seen) == 0 && host != "" {
		plain, text = host, host
		seen = p.seenOutside(host)
	}
	if len(seen) == 0 {
		return Standing{Authority: OfAgent}
	}
	other := p.userGave(plain)
	s, n := p.standing(plain, seen, other)
	s.Other, s.OtherHost = other, p.bareHost && effect.HostOf(plain) != "" && !strings.Contains(plain, "@")
	if n >= 0 {
		s.Evidence = []ctxmcp.Evidence{p.evidence(argument, text, n)}
	}
	return s
}

// seenOutside returns the passages that hold the value, but for those of results that only repeat what the action gave.
func (p *Provenance) seenOutside(plain string) []int {
	return slices.DeleteFunc(slices.Clone(p.seen(plain)), func(n int) bool {
		return p.sources[p.passages[n].source].gave(plain)
	})
}

// vouched reports whether a record that was looked up by the value is of whom a record is that the user pointed to: both have an address in a
// field.
func (p *Provenance) vouched(plain string) bool {
	return slices.ContainsFunc(p.seen(plain), func(n int) bool {
		s := &p.sources[p.passages[n].source]
		if p.passages[n].prose || !s.gave(plain) {
			return false
		}
		for m := s.first; m < s.first+s.count; m++ {
			if one := p.passages[m]; !one.prose && one.record == p.passages[n].record && mailForm.MatchString(one.plain) && p.addressOfPointed(one.plain, s) {
				return true
			}
		}
		return false
	})
}

// InRecordOf reports whether a value stands in a record that has the address in a field.
func (p *Provenance) InRecordOf(value, address string) bool {
	address = plainValue(address)
	return slices.ContainsFunc(p.seen(plainValue(value)), func(n int) bool {
		s := &p.sources[p.passages[n].source]
		return slices.ContainsFunc(p.passages[s.first:s.first+s.count], func(one *passage) bool {
			return one.record == p.passages[n].record && !one.prose && one.plain == address
		})
	})
}

// addressOfPointed reports whether a record of another source that the user pointed to has the address in a field.
func (p *Provenance) addressOfPointed(plain string, besides *source) bool {
	return slices.ContainsFunc(p.seen(plain), func(n int) bool {
		s := &p.sources[p.passages[n].source]
		return s.index != besides.index && !p.passages[n].prose && (!p.strict || s.attested) && p.pointed(s, p.passages[n].record)
	})
}

// standing weighs the passages that hold a value, and returns the one that counts, -1 for none: a field before a text, a text that the user
// pointed to before another. other says that the user gave another value of the form.
func (p *Provenance) standing(plain string, seen []int, other bool) (best Standing, at int) {
	best, at = Standing{Authority: OfAgent}, -1
	named := namedBy(plain, p.userWords) && !p.namedInField(plain)
	for _, n := range seen {
		pass := p.passages[n]
		s := &p.sources[pass.source]
		if p.strict && !s.attested && !pass.prose && !p.speaks(n) && !p.approvedText(n) {
			continue // a field that its reader may have made up makes nothing known
		}
		one := Standing{Authority: OfText, Told: pass.commands != 0 || pass.unreadable || p.toldBeside(n), Itself: pass.commands != 0 || pass.unreadable, Speaks: p.speaks(n)}
		switch {
		case p.approvedText(n):
			one.Authority, one.Told, one.Speaks = OfRecord, false, false
		case s.instruction != nil && (s.read || pass.prose) && !p.handedTo(s.instruction): // a text told the agent to fetch it
			one.Told = true
		case one.Speaks:
		case !pass.prose, pass.order && p.ownHint(n, pass.plain): // what a program says of its own use is no guide
			one.Authority, one.Told = OfKnown, false
		case p.givenByNamed(plain, s):
			one.Authority, one.Told = OfKnown, false
		case p.otherAccount(plain, n):
			one.Told = true
		case !pass.toReader && p.pointed(s, pass.record) && (p.handedOn || !other):
			one.Authority, one.Pointed = OfRecord, true
		case named:
			one.Authority = OfRecord
		}
		if at < 0 || best.Authority.Weaker(one.Authority) || one.Authority == best.Authority && (one.Speaks && !best.Speaks || one.Told && !best.Told) {
			best, at = one, n
		}
	}
	return best, at
}

// handedTo reports whether an instruction stands in a text that the user handed on to, so that the user asked for its deed.
func (p *Provenance) handedTo(by *Instruction) bool {
	pass := p.passages[by.Sentence]
	return (p.handedOn || p.answers) && !pass.toReader && !p.speaks(by.Sentence) && p.pointed(&p.sources[pass.source], pass.record)
}

// toldBeside reports whether a neighbour of the passage, in its cell, tells to do something.
func (p *Provenance) toldBeside(n int) bool {
	for _, m := range []int{n - 1, n + 1} {
		if m >= 0 && m < len(p.passages) {
			a, b := p.passages[n], p.passages[m]
			if a.source == b.source && a.cell == b.cell && b.commands != 0 {
				return true
			}
		}
	}
	return false
}

// speaks reports whether the text around a passage speaks to a machine over the head of the user, poses as somebody, or hides. What may be
// meant for people too, or stands in another language than its text, counts unless the user handed on to it.
func (p *Provenance) speaks(n int) bool {
	pass := p.passages[n]
	s := &p.sources[pass.source]
	if p.addressedAround(n) || pass.hidden && (pass.prose || pass.commands != 0) {
		return true
	}
	other := pass.unreadable && s.mixed && p.userReadable
	forPeople := s.reference || pass.toReader && p.speaksOfMachines()
	return (pass.aboutUser || pass.toReader) && !forPeople && !(pass.toReader && p.handedOn && p.pointed(s, pass.record)) || other && !(p.handedOn && p.pointed(s, pass.record))
}

// speaksOfMachines reports whether the user speaks of programs that read: then texts on the matter speak of them, too.
func (p *Provenance) speaksOfMachines() bool {
	return slices.ContainsFunc(p.statements, func(s string) bool { return machineTopic.MatchString(s) })
}

// machineTopic matches a word for programs that read texts and act on them, or for attacks on them.
var machineTopic = language.NewPattern(`\b(?:ai|llms?|chat ?bots?|agents|assistants|crawlers?|prompt injections?|prompts|jailbreaks?|%s)\b`, language.Machines)

// The numbers of sentences before and behind one that belong to its sense.
const (
	addressedBefore = 4
	addressedBehind = 1
)

// addressedAround reports whether a passage or one near it, in its cell, speaks to a machine. Steps before a start ("before you
// begin") are for people in a text that the user pointed to, and for a machine elsewhere.
func (p *Provenance) addressedAround(n int) bool {
	for m := max(0, n-addressedBefore); m <= min(len(p.passages)-1, n+addressedBehind); m++ {
		a, b := p.passages[n], p.passages[m]
		if (b.toMachine || b.toStarter && !p.pointed(&p.sources[b.source], b.record)) && a.source == b.source && a.cell == b.cell {
			return true
		}
	}
	return false
}

// doesOf returns the effects that a call has by its lists of verbs, and by the words by which it is told.
func (p *Provenance) doesOf(c Call, name []string) effectSet {
	does := p.meaning(c).effects
	for _, w := range name {
		does |= effectsOf()[language.LightStem(w)]
	}
	return does
}

// Urges reports whether a text that has a value urges the act of a call, by words for that act, or speaks to a machine.
func (p *Provenance) Urges(text string, c Call, name []string) bool {
	does := p.doesOf(c, name)
	return slices.ContainsFunc(p.seenOutside(plainValue(text)), func(n int) bool {
		pass := p.passages[n]
		return p.speaks(n) || pass.prose && (pass.commands&does != 0 || pass.unreadable)
	})
}

// recent is the number of the last results that may have set the agent on.
const recent = 4

// Spurred reports whether one of the last results speaks to a machine and tells it to do something of the kind that the call does, with the passage
// that does. name has the words by which the call is told. An order whose verbs are not known, and a call of which no verb is, may be of any kind.
func (p *Provenance) Spurred(c Call, name []string) ([]ctxmcp.Evidence, bool) {
	does := p.doesOf(c, name)
	for i := len(p.sources) - 1; i >= max(0, len(p.sources)-recent); i-- {
		s := &p.sources[i]
		if s.described {
			break // those stand before all results
		}
		for n := s.first; n < s.first+s.count; n++ {
			pass := p.passages[n]
			if told := pass.commands; does != 0 && told != 0 && told&does == 0 && !pass.unreadable && pass.decoded == "" {
				continue
			}
			if pass.prose && !p.approvedText(n) && (pass.commands != 0 || pass.toReader) && (p.addressedAround(n) || pass.decoded != "") {
				return []ctxmcp.Evidence{p.evidence("", firstWord(p.textOf(n)), n)}, true
			}
		}
	}
	return nil, false
}

// statedHost reports whether the user said the host, or one of which it is a part or that is a part of it.
func (p *Provenance) statedHost(host string) bool {
	if p.stated(host) {
		return true
	}
	return slices.ContainsFunc(p.hosts, func(h string) bool {
		return strings.HasSuffix(host, "."+h) || strings.HasSuffix(h, "."+host)
	})
}

// maxHosts bounds the hosts of one statement.
const maxHosts = 32

var hosts = language.NewPattern(`(?:[a-z0-9-]+\.)+[a-z]{2,}`)

// pointed reports whether the user pointed to a record: it is linked to the user's words, or what was read is what the user spoke of and has
// few records, or it holds a name that the user said.
func (p *Provenance) pointed(s *source, record int) bool {
	if s.described || s.instruction != nil && s.instruction.Followed {
		return false
	}
	key := [2]int{s.index, record}
	return remember(&p.looked().pointed, key, func() bool {
		return p.askedAfter(s) || p.linked(s, record) || p.pointedBy(s).sought && len(s.records) <= 3 || p.holdsName(s, record)
	})
}

// askedAfter reports whether the user asked for something when the result was there already: then it is about what it says, too.
func (p *Provenance) askedAfter(s *source) bool {
	return slices.ContainsFunc(p.requests, func(r request) bool { return r.effects != 0 && r.results > s.index })
}

// SeenWhole reports whether a result has the address as it is, or the user said it: then it carries nothing of the agent's.
func (p *Provenance) SeenWhole(address string) bool {
	plain := plainValue(address)
	return p.stated(plain) || len(p.seenOutside(plain)) > 0
}

// HandsOnToAnswer reports whether the user told the agent to answer a record: that hands on what changes the record, and no more.
func (p *Provenance) HandsOnToAnswer() bool { return p.answers }

// AskedToVisit reports whether the user spoke of links or pages.
func (p *Provenance) AskedToVisit() bool {
	return !p.unheard() && (!p.userReadable || p.userSaid(kinds))
}

// holdsName reports whether a passage of the record holds a name or a code that the user said.
func (p *Provenance) holdsName(s *source, record int) bool {
	if len(p.userNames) == 0 {
		return false
	}
	for _, n := range s.ofRecord(record) {
		pass := p.passages[s.first+int(n)]
		for name := range p.userNames {
			if _, ok := holds(pass.plain, name); ok {
				return true
			}
		}
	}
	return false
}

// userGave reports whether the user gave a value of the form of this one: a mail address, an address on the network, an account. Who names a
// recipient does not ask for another one to be looked up.
func (p *Provenance) userGave(plain string) bool {
	for i, form := range addressForms {
		if form.MatchString(plain) || form.MatchString(strings.ToUpper(plain)) {
			return p.forms[i]
		}
	}
	return false
}

// saysBareHost reports whether a text has the name of a host that is no part of a mail address.
func saysBareHost(plain string) bool {
	return slices.ContainsFunc(hosts.Regexp().FindAllStringIndex(plain, maxHosts), func(at []int) bool {
		return (at[0] == 0 || !strings.ContainsAny(plain[at[0]-1:at[0]], "@_%+.")) && (at[1] == len(plain) || plain[at[1]] != '@') && effect.HostOf(plain[at[0]:at[1]]) != ""
	})
}

// addressForms are the forms of values that name a recipient.
var addressForms = [...]*language.Pattern{mailForm, urlForm, accountForm}

// namedBy reports whether an address has a name that the user said before its sign.
func namedBy(plain string, userWords map[string]bool) bool {
	return slices.ContainsFunc(ownNames(plain), func(w string) bool { return userWords[w] })
}

// ownNames returns the stems of the words before the sign of an address that may be somebody's name.
func ownNames(plain string) (all []string) {
	name, _, is := strings.Cut(plain, "@")
	if !is {
		return nil
	}
	for _, w := range wordsIn(name) {
		if len(w) > 2 && !stopWords.Has(w) && !roleNames.Has(w) {
			all = append(all, language.LightStem(w))
		}
	}
	return all
}

// namedInField reports whether a field of a result has another address with a name that the user said: then it is the one that the user means.
func (p *Provenance) namedInField(plain string) bool {
	for w, addresses := range p.fieldNames {
		if p.userWords[w] && slices.ContainsFunc(addresses, func(one string) bool { return one != plain }) {
			return true
		}
	}
	return false
}

// noteAddress indexes an address that is all of a field, by the words before its sign. Two addresses a word tell whether there is another one.
func (p *Provenance) noteAddress(one *passage) {
	if one.prose || len(one.plain) >= maxFieldAddress || !strings.Contains(one.plain, "@") || mailForm.FindString(one.plain) != one.plain {
		return
	}
	for _, w := range ownNames(one.plain) {
		if list := p.fieldNames[w]; len(list) < 2 && !slices.Contains(list, one.plain) {
			p.fieldNames[w] = append(list, one.plain)
		}
	}
}

// maxFieldAddress is the length of a field that may be an address, in bytes.
const maxFieldAddress = 100

// roleNames are names before the sign of an address that are nobody's.
var roleNames = language.Mailboxes

// IsCode reports whether a text is somebody's or something's own: a code, an address, an account, and no words.
func IsCode(text string) bool {
	shape := shapeOf(text)
	return (shape == idShape || shape == addressShape) && len(text) > 2
}
