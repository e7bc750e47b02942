package entities

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// declaration is a way to say that two names are of one thing. It looks at two mentions that follow each other.
type declaration struct {
	name string
	doc  string
	// between matches what stands between the names, after what follows the second.
	between, after *language.Pattern
	// fits reports whether the names may be of one thing; nil: whatever they are, the words say so.
	fits func(a, b Mention) bool
	// samples say it, with the two names in square brackets.
	samples []string
}

var declarations = []declaration{
	{"brackets", "Samuel Ortiz (Sam): a short form, an address or an acronym in brackets",
		language.NewPattern(`^\s*[(<]\s*["“']?$`), language.NewPattern(`^["”']?\s*[)>]`), abbreviates,
		[]string{"[Samuel Ortiz] ([Sam]) joined.", "[Autonomous Action Runtime Management] ([AARM]) says so.", "[Samuel Ortiz] <[sam@acme.example]> wrote."}},
	{"also", "also known as, aka, alias, goes by",
		between(`also known as|better known as|known as|known to (?:us|everybody|everyone|friends) as|also called|also written|a\.k\.a\.|aka|alias|goes by(?: the name(?: of)?)?|nicknamed|` +
			`(?:who(?:m)? )?(?:we|everybody|everyone|they|people) (?:all )?calls? (?:him|her|it|them)?|` +
			`genannt|auch bekannt als|auch genannt|bekannt als|dit|dite|alias|aussi connue? (?:comme|sous le nom de)|surnommée?|también conocid[oa] como|conocid[oa] como|alias conocido como|apodad[oa]|` +
			`conhecid[oa] como|também conhecid[oa] como|detto|detta|noto come|nota come|anche not[oa] come|ook bekend als|bijgenaamd|znany jako|znana jako|также известн(?:ый|ая) как|по прозвищу`), nil, nil,
		[]string{"[Robert Fuller], also known as [Bobcat], builds.", "[Robert Fuller] aka [Bobcat] builds.", "[Robert Fuller] (a.k.a. [Bobcat]) builds.", "[Robert Fuller] goes by [Bobcat].",
			"Das ist [Robert Fuller], genannt [Bobcat].", "[Marie Dupont], aussi connue sous le nom de [Mimi], vient.", "[Lucía Ortega], también conocida como [Lulu], viene.",
			"[Giulia Conti], detta [Giuli], arriva.", "[Ольга Иванова], также известная как [Лёля], пришла."}},
	{"former name", "formerly known as, née, previously called: the name that somebody or something had",
		between(`(?:formerly|previously|originally|once|until recently) (?:known as|called|named)|(?:which|who) (?:was|were) (?:formerly |previously )?(?:known as|called|named)|` +
			`née|nee|born|f/k/a|fka|f\.k\.a\.|ehemals|vormals|früher(?: bekannt als)?|geborene|geb\.|anciennement|autrefois|antes (?:conocid[oa] como|llamad[oa])|anteriormente|` +
			`antigamente|già|in precedenza|voorheen|geboren als|dawniej|урождённая|ранее`), nil, nil,
		[]string{"[Amy Brown], née [Amy Fox], is here.", "[Initech Labs], formerly known as [Initrode], moved.", "[Initech Labs] (f/k/a [Initrode]) moved.",
			"[Petra Vogel], geborene [Petra Lenz], kommt.", "[Umbrella GmbH], vormals [Schirm AG], zahlt.", "[Solaris Media], anciennement [Luna Presse], paie.", "[Solaris Media], antes llamada [Luna Prensa], paga."}},
	{"former in brackets", "(formerly Initrode), where no word says that it is a name: of nobody, and of nothing that is known by name",
		language.NewPattern(`(?i)^\s*\((?:formerly|previously|ehemals|früher|vormals|anciennement|antes|anteriormente|già|ex)\s*:?\s*["“']?$`), language.NewPattern(`^["”']?\s*\)`), mayBeRenamed,
		[]string{"[Initech Labs] (formerly [Initrode]) moved.", "[Initech Labs] (früher [Initrode]) zieht um."}},
	{"short", "short: Sam; Sam for short; abbreviated",
		between(`short|in short|abbreviated|abbreviated (?:as|to)|abbr\.|short form|kurz|abgekürzt|en abrégé|abrégé|abreviado|abreviada|en corto|in breve|abbreviato|afgekort|kortweg|w skrócie|сокращённо`), nil, nil,
		[]string{"[Samuel Ortiz] (short: [Sam]) joined.", "[Autonomous Action Runtime Management], abbreviated [AARM], is here.", "[Donau Energie Verbund], kurz [DEV], zahlt.",
			"[Samuel Ortiz], in short [Sam], joined."}},
	{"for short", "Samuel, or Sam for short",
		language.NewPattern(`(?i)^\s*,?\s*(?:or|but|just|simply)?\s*$`), language.NewPattern(`(?i)^["”')]?,? for short\b`), nil,
		[]string{"[Samuel Ortiz], or [Sam] for short, joined.", "[Samuel Ortiz], [Sam] for short, joined."}},
	{"stands", "AARM stands for, is short for",
		language.NewPattern(`(?i)^\s*,?\s*(?:which )?(?:stands for|is short for|short for|is an acronym for|is the acronym of|steht für|est l'acronyme de|significa|staat voor)\s*["“']?$`), nil, nil,
		[]string{"[AARM] stands for [Autonomous Action Runtime Management].", "[AARM] steht für [Autonomous Action Runtime Management]."}},
	{"renamed", "is now called, changed its name to, was renamed",
		language.NewPattern(`(?i)^,?\s+(?:(?:is|are) now (?:called|known as|named)|(?:has|have) been renamed(?: to| as)?|was renamed(?: to| as)?|changed (?:its|her|his|their) name to|renamed itself(?: to)?|rebranded (?:as|to)|` +
			`heißt (?:jetzt|nun)|wurde umbenannt in|s'appelle (?:désormais|maintenant)|ahora se llama|passou a chamar-se|ora si chiama|heet (?:nu|voortaan))\s*["“']?$`), nil, nil,
		[]string{"[Initrode] is now called [Initech Labs].", "[Initrode] was renamed to [Initech Labs].", "[Initrode] changed its name to [Initech Labs].", "[Initrode] rebranded as [Initech Labs].",
			"[Schirm Werke] heißt jetzt [Umbrella GmbH].", "[Luna Prensa] ahora se llama [Solaris Media]."}},
	{"address", "Sam's email is, Sam's handle is",
		language.NewPattern(`(?i)^['’]s?\s+(?:new |work |private |personal )?(?:e-?mail(?: address)?|address|handle|user ?name|nickname|full name|real name|maiden name|stage name|github|slack(?: handle)?)\s+(?:is|was|:)\s*["“']?$`), nil, addresses,
		[]string{"[Samuel Ortiz]'s email is [sam@acme.example].", "[Samuel Ortiz]'s nickname is [Bobcat]."}},
	{"made of the name", "Samuel Ortiz, samuel.ortiz@acme.example: an address made of the whole name that stands shortly before it",
		language.NewPattern(`^[^\n]{1,80}$`), nil, madeOfName,
		[]string{"Our accountant is [Samuel Ortiz], [samuel.ortiz@acme.example].", "Ask [Samuel Ortiz] and write to [sortiz@acme.example]."}},
}

// between matches words between two names, set off or not by a comma, a bracket or a colon.
func between(words string) *language.Pattern {
	return language.NewPattern(`(?i)^[,\s]*\(?\s*(?:` + words + `)\s*:?\s*["“'(]?$`)
}

// pronoun matches the words before an address of the one person who is named before it.
var pronoun = language.NewPattern(`(?i)(?:^|[.!?;,]|\band)\s+(?:her|his|their)\s+(?:new |work )?(?:e-?mail(?: address)?|address|handle|user ?name)\s+(?:is|:)\s*$`)

// pronounReach is the number of bytes before an address in which its owner's pronoun is looked for.
const pronounReach = 100

// declared returns the pairs of mentions that the text says are of one thing.
func declared(content string, mentions []Mention) [][2]int {
	var pairs [][2]int
	for i := 0; i+1 < len(mentions); i++ {
		a, b := mentions[i], mentions[i+1]
		if a.Start <= b.Start && b.End <= a.End {
			pairs = append(pairs, [2]int{i, i + 1}) // quoted inside
			continue
		}
		between, after := content[a.End:b.Start], content[b.End:]
		for _, d := range declarations {
			if d.between.MatchString(between) && (d.after == nil || d.after.MatchString(after)) && (d.fits == nil || d.fits(a, b)) {
				pairs = append(pairs, [2]int{i, i + 1})
				break
			}
		}
		if (b.Form == Email || b.Form == Handle) && addresses(a, b) && pronoun.MatchString(content[max(0, b.Start-pronounReach):b.Start]) {
			if owner, only := onlyPerson(mentions[:i+1]); only {
				pairs = append(pairs, [2]int{owner, i + 1})
			}
		}
	}
	return pairs
}

// onlyPerson returns the place of the one person among the mentions.
func onlyPerson(mentions []Mention) (place int, only bool) {
	count := 0
	for i, m := range mentions {
		if m.Kind == Person {
			place = i
			count++
		}
	}
	return place, count == 1
}

// mayBeRenamed reports whether two names may be of one thing that changed its name: not of people, and not of two things that everybody
// knows by these names.
func mayBeRenamed(a, b Mention) bool {
	known := func(m Mention) bool { return inVocabulary(m.Key) }
	return a.Form == Proper && b.Form == Proper && a.Kind != Person && b.Kind != Person && !known(a) && !known(b)
}

// addresses reports whether b is an address or a name by which a, who may be a person, is reached.
func addresses(a, b Mention) bool {
	return a.Kind.goesWith(Person) && (b.Form == Email || b.Form == Handle || b.Form == Proper && b.Kind.goesWith(Person))
}

// madeOfName reports whether b is an e-mail address whose part before the sign is made of the whole name of a, who may be a person.
func madeOfName(a, b Mention) bool {
	return b.Form == Email && localFull(newNamed(b.Form, b.Kind, b.Key), newNamed(a.Form, a.Kind, a.Key))
}

// abbreviates reports whether one of the names is a short form, an address or an acronym of the other.
func abbreviates(a, b Mention) bool {
	if b.Form == Email || b.Form == Handle {
		return a.Kind.goesWith(Person) && a.Form == Proper
	}
	if a.Form == Email || a.Form == Handle {
		return abbreviates(b, a)
	}
	if a.Form != Proper || b.Form != Proper {
		return false
	}
	long, short := strings.Fields(a.Key), strings.Fields(b.Key)
	if len(short) > len(long) {
		long, short = short, long
	}
	if len(long) > 2 && len(short) == 1 && acronym(long) == short[0] {
		return true
	}
	if len(short) != 1 || !a.Kind.goesWith(b.Kind) {
		return false
	}
	for _, w := range long {
		if w == short[0] || shortens(short[0], w) {
			return true
		}
	}
	return false
}

// shortens reports whether a is a short form of the name b: by the table, or because b begins with it and is no other name.
func shortens(a, b string) bool {
	if nicknames()[b][a] {
		return true
	}
	return len(a) >= prefixLength && len(a) < len(b) && strings.HasPrefix(b, a) && !(given.Has(a) && given.Has(b))
}
