package reduce

import (
	"strings"
	"unicode/utf8"
)

// The lengths, in bytes, of the sentences that are looked at as one.
const (
	shortSentence = 12  // below it a sentence goes with the next one
	longSentence  = 480 // above it a sentence is cut like a line
)

// splitProse calls found for every sentence of a text that somebody said, with the row on which it begins and its number on that row.
// Text between fences is no prose, and comes in lines.
func splitProse(text string, found func(row, col int, piece string, prose bool)) {
	fenced := false
	for row := 0; ; row++ {
		line, rest, more := strings.Cut(text, "\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
		case fenced:
			splitLong(line, func(col int, piece string) { found(row, col, piece, false) })
		default:
			splitRow(line, func(col int, piece string) { found(row, col, piece, true) })
		}
		if !more {
			return
		}
		text = rest
	}
}

// splitLong cuts a line that is too long into pieces.
func splitLong(line string, found func(col int, piece string)) {
	col := 0
	for ; len(line) > longLine; col++ {
		n := pieceEnd(line)
		found(col, line[:n])
		line = line[n:]
	}
	found(col, line)
}

// splitRow cuts a row into its sentences.
func splitRow(row string, found func(col int, piece string)) {
	col := 0
	give := func(piece string) {
		for len(piece) > longSentence {
			n := pieceEnd(piece)
			found(col, piece[:n])
			piece = piece[n:]
			col++
		}
		found(col, piece)
		col++
	}
	begin := 0
	for at := 0; at < len(row); at++ {
		if end := sentenceEnd(row, at); end > 0 && end-begin >= shortSentence {
			give(row[begin:end])
			begin, at = end, end-1
		}
	}
	if begin < len(row) || row == "" {
		give(row[begin:])
	}
}

// sentenceEnd returns where the sentence ends whose last stop stands at a place of a row; 0 if none does. A stop that blanks and a
// small letter follow ends none: it is of an abbreviation.
func sentenceEnd(row string, at int) int {
	switch row[at] {
	case '.', '!', '?':
	default:
		if r, n := utf8.DecodeRuneInString(row[at:]); r == '。' || r == '！' || r == '？' {
			return at + n
		}
		return 0
	}
	end := at + 1
	for end < len(row) && strings.IndexByte(`.!?"')*_`+"`", row[end]) >= 0 {
		end++
	}
	if end == len(row) {
		return end
	}
	next := strings.TrimLeft(row[end:], " \t")
	if len(next) == len(row)-end {
		return 0
	}
	if next == "" || next[0] < 'a' || next[0] > 'z' {
		return end
	}
	return 0
}
