package reduce

import (
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/containment"
)

// The lengths, in bytes, at which a line is too long to be chosen as one, and of the pieces that it is then cut into.
const (
	longLine  = 240
	pieceSize = 140
)

// line is a line of what is moved out, or a piece of a long one, as it may stand in a digest. Lines that say the same are one,
// with the place where it stood last.
type line struct {
	text    string // without the blanks around it and the number in front
	shown   string // of it, in a digest or a preview; empty: not asked for yet
	changed int    // places of it that are shown in another way
	indent  int    // blanks in front of it
	signed  bool   // an added line of a difference
	seg     int    // of the segments, where it stood last
	row     int    // in that segment, from 0
	col     int    // on that row, from 0: a row of prose has several sentences
	prose   bool   // a sentence, not a line of code
	count   int    // how often it stood in all
	names   []name

	code    bool    // it has the signs of a program
	written bool    // the agent wrote it in a call
	defines bool    // it defines something
	heat    float64 // mean of the heat of its names, as logarithms
	hottest float64 // the largest of these
}

// contained returns the text as it is shown, which can pass for nothing else. It is made once.
func (l *line) contained() string {
	if l.shown == "" {
		l.shown, l.changed = containment.Neutralise(l.text)
	}
	return l.shown
}

// name is one of the names of a conversation, by number.
type name = int32

// splitLines returns the rows of a text, each cut into pieces if it is long.
func splitLines(text string, found func(row int, piece string)) {
	for row := 0; ; row++ {
		line, rest, more := strings.Cut(text, "\n")
		for len(line) > longLine {
			n := pieceEnd(line)
			found(row, line[:n])
			line = line[n:]
		}
		found(row, line)
		if !more {
			return
		}
		text = rest
	}
}

// pieceEnd returns where to cut a long line: behind a comma or a bracket if there is one, else at a blank, else anywhere.
func pieceEnd(line string) int {
	comma, blank := 0, 0
	for i := pieceSize / 3; i < pieceSize; i++ {
		switch line[i] {
		case ',', ';', '}', ']', '>':
			comma = i + 1
		case ' ', '\t':
			blank = i + 1
		}
	}
	n := pieceSize
	switch {
	case comma > 0:
		n = comma
	case blank > 0:
		n = blank
	}
	for n > 1 && !utf8.RuneStart(line[n]) {
		n--
	}
	return n
}

// bare returns a line without the blanks around it and without what tools put in front of the lines of a file: its number, or the
// sign of an added line.
func bare(text string) (s string, indent int, signed bool) {
	s = strings.TrimLeft(text, " \t")
	if n := numbered(s); n > 0 {
		text = s[n:]
	}
	text = strings.TrimRight(text, " \t\r")
	s = strings.TrimLeft(text, " \t")
	if len(s) > 1 && s[0] == '+' && s[1] != '+' {
		signed, text = true, s[1:]
		s = strings.TrimLeft(text, " \t")
	}
	for _, c := range []byte(text[:len(text)-len(s)]) {
		indent++
		if c == '\t' {
			indent += 3
		}
	}
	return s, indent, signed
}

// numbered returns the length of the number of a line with which s begins, with the sign behind it; 0 if there is none.
func numbered(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n == 0 || n > 6 || n >= len(s) {
		return 0
	}
	switch c := s[n]; {
	case c == '\t' || c == '|':
		return n + 1
	case (c == ':' || c == '-') && n+1 < len(s) && nameBytes[s[n+1]]&digitByte == 0: // no time and no date
		return n + 1
	}
	if strings.HasPrefix(s[n:], "→") {
		return n + len("→")
	}
	return 0
}

// worthless reports whether a line says nothing that could be used later: rules, brackets, blanks.
func worthless(s string) bool {
	letters := 0
	for i := 0; i < len(s); i++ {
		if nameBytes[s[i]]&wordBytes != 0 {
			letters++
		}
	}
	return letters < 2
}
