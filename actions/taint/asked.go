package taint

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// AskedFor reports whether the user spoke of such an effect: by one of the words, which are stems, or by all words of a name. words may be nil. Of a user whose language is not
// read nobody can tell that it was not asked for.
func (p *Provenance) AskedFor(words *language.Set, name []string) bool {
	if p.unheard() || !p.userReadable {
		return !p.unheard()
	}
	n := 0
	for _, w := range name {
		if p.userDoing[language.LightStem(w)] {
			n++
		}
	}
	return len(name) > 0 && n == len(name) || words != nil && slices.ContainsFunc(words.All(), func(w string) bool { return p.userDoing[w] })
}

// AskedInPhrase reports whether the user, by a phrase of several words, asked for an effect of a class.
func (p *Provenance) AskedInPhrase(class string) bool { return p.userPhrases[class] }

// InUsersWords reports whether at least half of the words in the arguments of a call, and two, are words of a user who asked for more than to look. Verbs that look
// and words that say nothing do not count. An address or an identifier is a word that nobody says.
func (p *Provenance) InUsersWords(c Call) bool {
	said, all := 0, map[string]bool{}
	note := func(word string, has bool) {
		if !all[word] && has {
			said++
		}
		all[word] = true
	}
	for _, v := range c.values {
		if containers[v.argument[strings.LastIndexByte(v.argument, '/')+1:]] {
			continue // in which much may be done that nobody asked for
		}
		for chunk := range strings.FieldsSeq(v.text) {
			if inName(chunk) {
				note(chunk, false)
				continue
			}
			for _, w := range language.NameWords(chunk) {
				if stem := stemOf(w); len(w) > 2 && !stopWords.Has(w) && !generic.Has(stem) && !reads.Has(stem) {
					note(stem, p.userWords[stem])
				}
			}
		}
	}
	return p.AsksSomething() && said > 1 && 2*said >= len(all)
}

// containers are names of arguments that say in what something is done.
var containers = setOf("account base calendar database host namespace org organization owner project project_id project_key region repo repository server space tenant workspace zone")

// Gave reports whether an earlier action gave a value, as the address of a page that the agent read.
func (p *Provenance) Gave(text string) bool {
	plain := plainValue(text)
	return slices.ContainsFunc(p.sources, func(s source) bool { return slices.Contains(s.given, plain) })
}

// SaysHost reports whether the user said a host as it is, and not only one of which it is a part.
func (p *Provenance) SaysHost(host string) bool { return slices.Contains(p.hosts, host) }

// SaysPage reports whether the user said the address of a page of a host, and not only the host.
func (p *Provenance) SaysPage(host string) bool {
	return host != "" && slices.ContainsFunc(p.statements, func(text string) bool {
		_, path, found := strings.Cut(text, host+"/")
		return found && path != "" && path[0] != ' '
	})
}

// OnlyLooks reports whether the user, in a language that is read, asked for no more than to look.
func (p *Provenance) OnlyLooks() bool {
	return !p.unheard() && p.userReadable && !p.handedOn && !p.answers && !p.AsksSomething()
}

// AsksSomething reports whether the user asked for more than to look.
func (p *Provenance) AsksSomething() bool { return len(p.userDoing) > 0 || len(p.userPhrases) > 0 }

// Requested reports whether the user asked for an effect that the call has, by the lists of verbs.
func (p *Provenance) Requested(c Call) bool {
	m := p.meaning(c)
	return m.effects == 0 || m.effects&p.userEffects != 0
}

// WordsOf returns the words of a command line: of its names and its flags.
func WordsOf(line string) []string {
	var all []string
	for w := range strings.FieldsSeq(line) {
		if strings.ContainsAny(w, "/@:=$.{}'\"") {
			continue
		}
		for _, one := range language.NameWords(w) {
			if len(one) > 2 && !generic.Has(stemOf(one)) && !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

// Tells returns how the last text stands that orders the deed of a name: the text has commands and two words of the name, or all of them; or
// it has the command line itself. A text that the user handed on to stands as a record.
func (p *Provenance) Tells(name []string, line string) (Standing, bool) {
	line = plainValue(line)
	if len(strings.Fields(line)) < 2 {
		line = ""
	}
	if len(name) == 0 {
		return Standing{}, false
	}
	for n := range p.mayTell(name, line) {
		pass := p.passages[n]
		_, whole := holds(pass.plain, line)
		if p.approvedText(n) || p.ownHint(n, line) {
			continue
		}
		if !whole && (!pass.prose || pass.commands == 0 && !pass.toReader && !pass.unreadable && !pass.hidden) {
			continue
		}
		same, shown := 0, ""
		if whole && len(pass.plain) > len(line) {
			same = len(name)
		}
		for _, w := range name {
			if _, ok := holds(pass.plain, w); ok {
				same, shown = same+1, w
			}
		}
		if same < min(2, len(name)) {
			continue
		}
		s := &p.sources[pass.source]
		one := Standing{Authority: OfText, Told: true, Speaks: p.speaks(n)}
		if !one.Speaks && p.handedOn && p.pointed(s, pass.record) {
			one.Authority = OfRecord
		}
		one.Evidence = []ctxmcp.Evidence{p.evidence("", cmp.Or(shown, firstWord(p.textOf(n))), n)}
		return one, true
	}
	return Standing{}, false
}

// mayTell returns the passages with words of a line, or with two words of a name, or all of them: the last first. Each may hold them otherwise than
// is looked for.
func (p *Provenance) mayTell(name []string, line string) iter.Seq[int] {
	need := min(2, len(name))
	var lists [][]int32
	var counts []int
	for _, w := range name {
		for _, part := range wordsIn(w)[:min(1, len(wordsIn(w)))] {
			lists, counts = append(lists, p.holding(part)), append(counts, 1)
		}
	}
	lists, counts = append(lists, p.rarest(line)), append(counts, need)
	return func(yield func(int) bool) {
		for {
			last, count := int32(-1), 0
			for _, list := range lists {
				if len(list) > 0 {
					last = max(last, list[len(list)-1])
				}
			}
			for i, list := range lists {
				if len(list) > 0 && list[len(list)-1] == last {
					lists[i], count = list[:len(list)-1], count+counts[i]
				}
			}
			if last < 0 || count >= need && !yield(int(last)) {
				return
			}
		}
	}
}

// ownHint reports whether a passage is the output of a program that names a command line of the same program. What a program shows of others, such as logs or an
// issue, is no word of its own.
func (p *Provenance) ownHint(n int, line string) bool {
	program, _, several := strings.Cut(line, " ")
	return several && !p.speaks(n) && slices.ContainsFunc(p.sources[p.passages[n].source].given, func(given string) bool {
		_, ran := holds(given, program)
		return ran && strings.Contains(given, " ") && !slices.ContainsFunc(strings.Fields(given), func(w string) bool { return showing[w] })
	})
}

// showing are the words of command lines by which programs show what others wrote.
var showing = setOf("api cat comment comments describe diff exec get issue log logs search show view")

// hintsAtGiven reports whether a value is a command line at which the output of the same program hints, as a plan says how it is applied: it has a code
// that was given to the program, and none that was not and is not the user's.
func (p *Provenance) hintsAtGiven(o origin) bool {
	if !o.value.whole || !p.ownHint(o.passage, o.value.plain) {
		return false
	}
	given, codes := p.sources[p.passages[o.passage].source].given, 0
	for w := range strings.FieldsSeq(o.value.plain) {
		if w = plainValue(w); !IsCode(w) && !strings.ContainsAny(w, "/.") {
			continue
		}
		if !p.stated(w) && !slices.ContainsFunc(given, func(text string) bool { _, ok := holds(text, w); return ok }) {
			return false
		}
		codes++
	}
	return codes > 0
}

// Pointed reports whether a text in a record that the user pointed to tells to do something with the words of a name.
func (p *Provenance) Pointed(name []string) bool {
	return slices.ContainsFunc(name, func(w string) bool {
		stem := language.LightStem(w)
		return slices.ContainsFunc(p.commandsBy[beginning(stem)], func(n int) bool {
			pass := p.passages[n]
			return slices.Contains(pass.words, stem) && !p.speaks(n) && p.pointed(&p.sources[pass.source], pass.record)
		})
	})
}

func firstWord(text string) string {
	for w := range strings.FieldsSeq(text) {
		if w = strings.Trim(w, " \t\"'`.,;:!?/"); w != "" {
			return w
		}
	}
	return text
}
