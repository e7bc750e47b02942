package refusal

import (
	"strings"
	"unicode"
)

// word is one word of a statement.
type word struct {
	text  string // as it is written, without signs around it
	lower string // without an apostrophe
	ends  string // signs behind it
}

// sentence is a sentence of a statement, and its words.
type sentence struct {
	text    string
	clauses [][]word
}

// maxStatement is the length of a statement that is read, in bytes: the beginning, where requests stand.
const maxStatement = 64 << 10

// sentencesOf returns the sentences of a statement, with their clauses.
func sentencesOf(text string) []sentence {
	text = text[:min(len(text), maxStatement)]
	var all []sentence
	begin := 0
	end := func(at int) {
		if s := strings.TrimSpace(text[begin:at]); s != "" {
			if clauses := clausesOf(wordsOf(s)); len(clauses) > 0 {
				all = append(all, sentence{s, clauses})
			}
		}
		begin = at
	}
	for i, r := range text {
		next := rune(' ')
		if i+1 < len(text) {
			next = rune(text[i+1])
		}
		if r == '\n' || strings.ContainsRune(".!?;", r) && unicode.IsSpace(next) {
			end(i + 1)
		}
	}
	end(len(text))
	return all
}

// wordSigns may stand around a word.
const wordSigns = ".,;:!?\"'“”„«»()[]{}`…"

var apostrophes = strings.NewReplacer("'", "", "’", "")

// phrases are words that are one, as they are written apart.
var phrases = strings.NewReplacer(
	"do not ", "dont ", "don’t ", "dont ", "off limits", "off-limits", "as is", "as-is", "as it is", "as-is", "as they are", "as-is", "read only", "read-only", "in case ", "in-case ",
	"under no circumstances", "never", "in no case", "never", "go ahead", "go-ahead", "dry run", "dry-run", "force push", "force-push", "check out", "checkout", "sign off", "sign-off", "merge request", "merge-request", "open source", "open-source",
	"co-owner", "coowner", "signed-off", "approved", "sign-in", "login",
)

func wordsOf(text string) []word {
	var all []word
	for field := range strings.FieldsSeq(lowerPhrases(text)) {
		if strings.Trim(field, "-–—") == "" {
			if len(all) > 0 {
				all[len(all)-1].ends += ","
			}
			continue
		}
		front := strings.TrimLeft(field, wordSigns[5:])
		bare := strings.TrimRight(front, wordSigns)
		if bare == "" {
			continue
		}
		all = append(all, word{bare, strings.ToLower(apostrophes.Replace(bare)), front[len(bare):]})
	}
	return all
}

// lowerPhrases joins the words of phrases, in whatever case they stand.
func lowerPhrases(text string) string {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return phrases.Replace(lower)
	}
	if joined := phrases.Replace(lower); joined != lower {
		return joined
	}
	return text
}

// clausesOf parts the words of a sentence: behind a sign, and before a word that begins another clause.
func clausesOf(words []word) [][]word {
	var all [][]word
	begin := 0
	end := func(at int) {
		if at > begin {
			all = append(all, words[begin:at])
		}
		begin = at
	}
	for i, w := range words {
		if i > begin && beginsClause(words[i:]) {
			end(i)
		}
		if strings.ContainsAny(w.ends, ",;:.!?") {
			end(i + 1)
		}
	}
	end(len(words))
	return all
}

// beginsClause reports whether a clause begins with the first of the words: "but …", "and do not …", "then …".
func beginsClause(words []word) bool {
	switch words[0].lower {
	case "but", "then", "however", "though":
		return true
	case "and", "so", "or":
		return len(words) > 1 && (nots.Has(words[1].lower) || leaves.Has(words[1].lower) && words[1].lower == "leave" || words[1].lower == "ask" || words[1].lower == "then" || words[1].lower == "ill")
	}
	return false
}
