package effect

import (
	_ "embed" // for the table
	"slices"
	"strings"
	"sync"
)

//go:embed words.tsv
var wordRows string

// list is the name of a list of words.tsv.
type list string

// The lists.
const (
	cloudClients   list = "client of a cloud"
	services       list = "service"
	listing        list = "listing"
	outlines       list = "outline"
	secretNames    list = "secret"
	broad          list = "broad"
	consentObjects list = "consent object"
	consentVerbs   list = "consent"
	means          list = "means of payment"
	moreReads      list = "read"
	shown          list = "shown"
	nouns          list = "noun"
)

// listed are the words of a list.
type listed struct {
	all []string // in the order of the list
	set map[string]bool
}

// wordTable holds the words of the lists.
var wordTable = sync.OnceValue(func() map[list]listed {
	all := map[list]listed{}
	for _, row := range RowsOf(wordRows, 5) {
		words := listed{strings.Fields(row[1]), map[string]bool{}}
		for _, w := range words.all {
			words.set[w] = true
		}
		all[list(row[0])] = words
	}
	return all
})

// has reports whether a word is in the list.
func (l list) has(w string) bool { return wordTable()[l].set[w] }

// hasAny reports whether one of the words is in the list.
func (l list) hasAny(words []string) bool { return slices.ContainsFunc(words, l.has) }

// words returns the words of the list. The caller must not change them.
func (l list) words() []string { return wordTable()[l].all }
