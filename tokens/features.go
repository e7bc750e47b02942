package tokens

import (
	"unicode"
	"unicode/utf8"
)

// cuts are ranks at which a vocabulary could end. A tokenizer with fewer tokens splits as a shorter vocabulary would, more or
// less: which of the cuts of which vocabulary it resembles, a fit finds out.
var cuts = [...]uint32{4000, 16_000}

// profile is the tokens of a piece for each of the cuts.
type profile [len(cuts)]int32

// kind is the kind of characters in a piece of text.
type kind uint8

const (
	lowWord  kind = iota // lower case, ASCII as the next two
	capWord              // one capital in front, the rest lower case
	upWord               // other words with capitals
	digitRun             // up to three digits
	signRun              // punctuation and symbols
	blankRun             // spaces and tabs
	lineRun              // pieces with a line end
	latin                // words with Latin letters beyond ASCII
	cyrillic             // with Greek
	semitic              // Arabic, Hebrew
	indic                // the other scripts, most of them of India and South-East Asia
	han
	kana
	hangul
	pictures // emoji and symbols beyond ASCII
	kinds    // how many there are
)

// The figures of each kind of piece.
const (
	pieces     = iota // how many there are
	characters        // their length
	byO200k           // their tokens by o200k, and by each cut of it
	byCl100k   = byO200k + 1 + len(cuts)
	byP50k     = byCl100k + 1 + len(cuts)
	figures    = byP50k + 1 + len(cuts)
)

// Features are the variables of the linear estimates: a row of figures for each kind of piece that o200k splits a text
// into, and one of the words that a sign stands before and the words that follow another without a blank.
type Features [kinds + 1][figures]float64

// The places in the last row.
const (
	words       = int(kinds)
	signedWords = 0
	joinedWords = 1
)

// Scan returns the features of a text.
func Scan(text string) Features { return scan(text, never) }

// scan is Scan, until ended.
func scan(text string, ended func() bool) Features {
	var f Features
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	s.merger.ended = ended
	joined, look := false, len(text)
	for len(text) > 0 {
		if len(text) <= look {
			if look = len(text) - lookEvery; ended() {
				break
			}
		}
		end := o200k.split(text)
		piece := text[:end]
		k := kindOf(piece)
		row := &f[k]
		row[pieces]++
		row[characters] += float64(utf8.RuneCountInString(piece))
		for i, n := range s.counts(piece) {
			row[byO200k+i] += float64(n)
		}
		word := k <= upWord
		switch first, _ := classAt(piece); {
		case word && first.is(sign):
			f[words][signedWords]++
		case word && joined && first.is(letter):
			f[words][joinedWords]++
		}
		joined = word
		text = text[end:]
	}
	return f
}

// kindOf returns the kind of a piece, by the first of its characters that tells.
func kindOf(piece string) kind {
	capitals, letters, first := 0, 0, true
	for i := 0; i < len(piece); i++ {
		b := piece[i]
		if b >= utf8.RuneSelf {
			return kindBeyond(piece[i:])
		}
		c := ascii[b]
		if !c.is(letter) {
			continue
		}
		letters++
		if c.is(upper) {
			capitals++
			first = first && letters == 1
		}
	}
	switch c, _ := classAt(piece); {
	case capitals == 1 && first && letters > 1:
		return capWord
	case capitals > 0:
		return upWord
	case letters > 0:
		return lowWord
	case c.is(number):
		return digitRun
	default:
		return kindOfSigns(piece)
	}
}

// kindOfSigns tells blanks, line ends and punctuation apart.
func kindOfSigns(piece string) kind {
	blank := true
	for i := range len(piece) {
		c := ascii[piece[i]]
		if c.is(newline) && blank {
			return lineRun
		}
		blank = blank && c.is(space)
	}
	if blank {
		return blankRun
	}
	return signRun
}

// scripts are the kinds of letters beyond ASCII, in the order in which they are looked for.
var scripts = []struct {
	kind   kind
	tables []*unicode.RangeTable
}{
	{han, []*unicode.RangeTable{unicode.Han}},
	{kana, []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
	{hangul, []*unicode.RangeTable{unicode.Hangul}},
	{latin, []*unicode.RangeTable{unicode.Latin}},
	{cyrillic, []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek}},
	{semitic, []*unicode.RangeTable{unicode.Arabic, unicode.Hebrew}},
	{indic, []*unicode.RangeTable{unicode.L}}, // no marks: emoji have them, and words begin with letters
}

// kindBeyond returns the kind of a piece whose rest begins with a character beyond ASCII: that of its first letter, as a
// word can have a sign in front.
func kindBeyond(rest string) kind {
	found := pictures
	for _, r := range rest {
		for _, s := range scripts {
			if unicode.In(r, s.tables...) {
				return s.kind
			}
		}
		if unicode.IsNumber(r) {
			found = digitRun
		}
	}
	return found
}

// Kinds is the number of kinds of pieces: the rows of [Features] but for the last.
const Kinds = int(kinds)

// kindNames are the names of the kinds, as the table of weights has them.
var kindNames = [kinds]string{
	"lowWord", "capWord", "upWord", "digitRun", "signRun", "blankRun", "lineRun",
	"latin", "cyrillic", "semitic", "indic", "han", "kana", "hangul", "pictures",
}

// KindName returns the name of a kind of pieces.
func KindName(k int) string { return kindNames[k] }

// OnO200k returns the weights that are one factor on the o200k count.
func OnO200k(factor float64) *Features {
	var f Features
	for k := range Kinds {
		f[k][byO200k] = factor
	}
	return &f
}
