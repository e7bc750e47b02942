package language

import (
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// One word may be spelled in two ways, "practise" and "practice". An index has one term for both: that of the American spelling.

var (
	spellingWords = table("en/spellings.txt")
	iseWords      = list("en/ise.txt")
)

// americanStems maps the stems of British spellings to those of the American ones, and britishStems the other way round.
var (
	americanStems = sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for _, r := range spellingWords.Rows() {
			to := english.Stem(r.Head, false)
			for _, w := range r.Words {
				if from := english.Stem(w, false); from != to {
					m[from] = to
				}
			}
		}
		return m
	})
	britishStems = sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for from, to := range americanStems() {
			m[to] = from
		}
		return m
	})
)

// iseEndings are the endings of words with -ise, in the order in which they are tried.
var iseEndings = []string{"isational", "isations", "isation", "isable", "isers", "ising", "ised", "iser", "ises", "ise"}

// shortestRoot is the number of letters before the -ise of the shortest word that may have -ize.
const shortestRoot = 3

// withZ returns the spelling with -ize of a word with -ise that has one, and any other word unchanged.
func withZ(w string) string {
	for _, end := range iseEndings {
		root, found := strings.CutSuffix(w, end)
		if !found {
			continue
		}
		if len(root) < shortestRoot || strings.ContainsRune("aeiou", rune(root[len(root)-1])) || iseWords.Has(root+"ise") {
			return w
		}
		return root + "iz" + end[len("is"):]
	}
	return w
}

// withS returns the spelling with -ise of a word with -ize.
func withS(w string) string {
	for _, end := range iseEndings {
		if root, found := strings.CutSuffix(w, "iz"+end[len("is"):]); found {
			return root + end
		}
	}
	return w
}

// spelled returns the stem of a word in its American spelling.
func spelled(w string) string {
	s := english.Stem(withZ(w), false)
	if american, ok := americanStems()[s]; ok {
		return american
	}
	return s
}

// Spelled returns the term that an index has today for a term of an index that kept both spellings of a word.
func Spelled(term string) string {
	if american, ok := americanStems()[term]; ok {
		return american
	}
	if strings.HasSuffix(term, "is") {
		if w := term + "e"; withZ(w) != w {
			return spelled(w)
		}
	}
	return term
}

// OlderTerms returns the terms by which an index that kept both spellings has the words of a text, and Terms has them no more.
func OlderTerms(text string) []string {
	var older []string
	seen := map[string]bool{}
	for _, w := range segment(text) {
		if w.script != spaced || !plainWord(w.text) || StopWords.Has(w.text) {
			continue
		}
		now := stem(w.text)
		was := []string{english.Stem(withZ(w.text), false), english.Stem(withS(withZ(w.text)), false), britishStems()[now]}
		for _, t := range was {
			if t != "" && t != now && !seen[t] && Spelled(t) == now {
				seen[t] = true
				older = append(older, t)
			}
		}
	}
	return older
}

// plainWord reports whether a word has ASCII letters alone.
func plainWord(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}
