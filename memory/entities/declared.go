package entities

import (
	"regexp"
	"strings"
)

// declaration is a way to say that two names are of one thing. It looks at two mentions that follow each other.
type declaration struct {
	name string
	doc  string
	// between matches the text between the names, after the text behind the second.
	between, after *regexp.Regexp
	// fits reports whether the names may be of one thing; nil: any two may.
	fits func(a, b Mention) bool
}

var declarations = []declaration{
	{"brackets", "Samuel Ortiz (Sam): a short form, an address or an acronym in brackets",
		regexp.MustCompile(`^\s*[(<]\s*$`), regexp.MustCompile(`^\s*[)>]`), abbreviates},
	{"also", "also known as, aka, alias, goes by, genannt, dit",
		regexp.MustCompile(`(?i)^[,\s]*\(?\s*(?:also known as|better known as|known as|a\.k\.a\.|aka|alias|goes by(?: the name)?|nicknamed|genannt|auch bekannt als|dit|dite|alias conocido como|conhecid[oa] como)\s*:?\s*["“'(]?$`), nil, nil},
	{"stands", "AARM stands for, is short for",
		regexp.MustCompile(`(?i)^\s*,?\s*(?:which )?(?:stands for|is short for|short for|is an acronym for|steht für)\s*["“']?$`), nil, nil},
	{"address", "Sam's email is, Sam's handle is",
		regexp.MustCompile(`(?i)^['’]s?\s+(?:new |work |private |personal )?(?:e-?mail(?: address)?|address|handle|user ?name|nickname|full name|real name|github|slack(?: handle)?)\s+(?:is|:)\s*["“']?$`), nil, addresses},
}

// pronoun matches the words before an address of the one person who is named before it.
var pronoun = regexp.MustCompile(`(?i)(?:^|[.!?;,]|\band)\s+(?:her|his|their)\s+(?:new |work )?(?:e-?mail(?: address)?|address|handle|user ?name)\s+(?:is|:)\s*$`)

// pronounReach is how many bytes before an address its owner's pronoun is looked for.
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

// addresses reports whether b is an address or a name by which a, who may be a person, is reached.
func addresses(a, b Mention) bool {
	return a.Kind.goesWith(Person) && (b.Form == Email || b.Form == Handle || b.Form == Proper && b.Kind.goesWith(Person))
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
