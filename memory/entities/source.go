package entities

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Source holds the parts of a memory that may name entities.
type Source struct {
	Content string
	Author  string
	Claim   ctxmcp.Claim
}

// mostMentions bounds how many names of a content are looked at, the first ones: a longer list is a list, not a memory.
const mostMentions = 24

// Mentions returns the names in the source: those of the content in order, then the author, the subject and the value
// of the claim where these are names, each name once.
func (s Source) Mentions() []Mention {
	all := Extract(s.Content)
	all = all[:min(len(all), mostMentions)]
	all, _ = add(all, s.Author, AsAuthor)
	all, subject := add(all, s.Claim.Subject, AsSubject)
	all, value := add(all, s.Claim.Value, AsValue)
	if subject >= 0 && value >= 0 && subject != value && naming.Has(strings.ReplaceAll(ctxmcp.Normalize(s.Claim.Predicate), " ", "_")) {
		join(all, subject, value)
	}
	return all
}

// longestName is the number of bytes from which a text is no name.
const longestName = 1 << 10

// Name reads a text that is one name as a whole, such as the subject of a claim. It reports whether it is one; a word in
// small letters is one only if it is known already.
func Name(text string) (Mention, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > longestName || nobody.Has(fold(text)) {
		return Mention{}, false
	}
	for _, m := range Extract(text) {
		if m.Start == 0 && m.End == len(text) {
			return m, true
		}
	}
	key := KeyOf(Proper, text)
	few := strings.Count(key, " ") < mostTokens
	return Mention{Text: text, Key: key, Form: Proper, Kind: Unknown, Purposes: []Purpose{InContent}, End: len(text), Tentative: true}, few && key != "" && !plain.Has(key)
}

// add adds a name for a purpose to the mentions, and returns its place, or -1 if the text is no name.
func add(all []Mention, text string, p Purpose) ([]Mention, int) {
	m, named := Name(text)
	if !named {
		return all, -1
	}
	m.Purposes, m.Start, m.End = []Purpose{p}, 0, 0
	if p != AsValue && strings.ToLower(m.Text) != m.Text {
		m.Tentative = false // a name that is spoken of has a capital
	}
	if p == AsAuthor {
		m.Tentative = false
		if m.Kind == Unknown {
			m.Kind = Person
		}
	}
	if i := slices.IndexFunc(all, func(o Mention) bool { return o.Form == m.Form && o.Key == m.Key }); i >= 0 {
		all[i].Purposes = append(slices.Clone(all[i].Purposes), p)
		all[i].Tentative = all[i].Tentative && m.Tentative
		if all[i].Kind == Unknown {
			all[i].Kind = m.Kind
		}
		return all, i
	}
	m.Same = len(all)
	return append(all, m), len(all)
}
