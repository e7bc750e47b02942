package reduce

import (
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// cue is a kind of statement that the words of a sentence tell, as a bit.
type cue uint32

// cueRows are the rows of the list of statements, in the order of their bits. Append only.
var cueRows = []string{"cause", "condition", "constraint", "correction", "decision", "fact", "finding", "hedge", "narration", "question", "reason", "rejection", "request", "status", "step"}

// cueOf returns the bit of a row.
func cueOf(row string) cue {
	for i, name := range cueRows {
		if name == row {
			return 1 << i
		}
	}
	panic("reduce: no row " + row) // the tables of this package name none other
}

// phrases are the words and phrases of the list, and the first words of those that have several.
type phrases struct {
	cues   map[string]cue
	begins map[string]bool
}

var statementPhrases = sync.OnceValue(func() phrases {
	p := phrases{map[string]cue{}, map[string]bool{}}
	for _, r := range language.Statements.Rows() {
		for _, phrase := range r.Words {
			p.cues[phrase] |= cueOf(r.Head)
			if first, _, several := strings.Cut(phrase, " "); several {
				p.begins[first] = true
			}
		}
	}
	return p
})

// longestPhrase is how many words a phrase has at most.
const longestPhrase = 4

// cuesOf returns what the words of a sentence tell, and what those tell with which it begins.
func cuesOf(words []string) (all, opening cue) {
	p := statementPhrases()
	for i, w := range words {
		found := p.cues[w]
		if p.begins[w] {
			for n := 2; n <= longestPhrase && i+n <= len(words); n++ {
				found |= p.cues[strings.Join(words[i:i+n], " ")]
			}
		}
		if all |= found; i == 0 {
			opening = found
		}
	}
	return all, opening
}

// wordsOf returns the words of a text in lower case, letters and apostrophes, without numbers and signs.
func wordsOf(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && (r < 'a' || r > 'z') && r != '\'' })
}
