package envelope

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Signs of the lines that reports of programs consist of, whatever program wrote them.
var (
	reasonWord  = lexiconOf(language.Messages.Row("reason"))
	adviceWord  = lexiconOf(language.Messages.Row("advice"))
	guardWord   = lexiconOf(language.Messages.Row("guard"))
	drasticWord = lexiconOf(language.Messages.Row("drastic"))
	libraryPath = lexiconOf(language.LibraryPaths)
	detailKeys  = language.Messages.Row("detail")

	totals = language.NewPattern(`(?i)^\W{0,4}(found|plan|total|totals|summary|results?|test result|tests|test suites|test files|build|ran|finished)\b[ :].*\d|\b\d+ (passed|failed|tests?|passing|failing|skipped|errors?|warnings?|problems?|failures?|examples?|issues|violations|vulnerabilities)\b`)

	lintCode  = beginning(`^\s*(\S+[:(])?\d+[:,]\d+\)?:? +(error|warning|[A-Z]+\d+)\b|^\S+\.\w+:\d+:(\d+:)? (error|warning|[A-Z]+\d{2,})\b`, "/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._")
	placeMark = language.NewPattern(`^[^\s"=,;:()\[\]{}<>|']+[:(]\d`)
)

// frames matches the frames of a stack trace that are in a library or a platform, or those that are not.
type frames struct{ foreign bool }

// MatchString reports whether a line is a frame of the kind.
func (f frames) MatchString(text string) bool {
	return frameLine.MatchString(text) && libraryPath.MatchString(text) == f.foreign
}

// changed matches the lines of a plan of changes that name a guard, a loss or an address open to all.
type changed struct{}

// MatchString reports whether a line is such a one.
func (changed) MatchString(text string) bool {
	said := strings.TrimLeft(text, " ")
	if said == "" || strings.IndexByte("-+~#", said[0]) < 0 || !strings.HasPrefix(text, " ") {
		return false
	}
	return guardWord.MatchString(said) || drasticWord.MatchString(said) || openToAll.MatchString(said)
}

var (
	plannedGuard changed
	plannedLine  = beginning(`^\s+[+~-] \S+ +(=|\{|\[)`, "+~-")
	httpFault    = hint(`\bHTTP/[\d.]+ [45]\d\d\b`, "HTTP/")
	openToAll    = hint(`\b0\.0\.0\.0/0|::/0`, "0.0.0.0/0", "::/0")
)

var (
	libraryFrame = frames{foreign: true}
	ownFrame     = frames{foreign: false}
)

// spoken is the beginning that the reports of a text share, such as the name of a program with a word of failure: it does not tell them apart.
type spoken struct{ prefix string }

// fewestSpoken is the number of lines with one beginning, from which it is left aside.
const fewestSpoken = 6

// spokenIn finds the beginning that most lines of failure of a text have: one word, or two.
func spokenIn(lines []string) spoken {
	counts := map[string]int{}
	best := ""
	for _, l := range lines {
		for _, words := range []int{1, 2} {
			begin := firstWords(l, words)
			if len(begin) > 0 && len(begin) <= 30 && failureWord.MatchString(begin) {
				if counts[begin]++; counts[begin] > counts[best] {
					best = begin
				}
				break
			}
		}
	}
	if counts[best] < fewestSpoken {
		best = ""
	}
	return spoken{best}
}

// firstWords returns the beginning of a line up to the end of a word; "" if the line has fewer.
func firstWords(line string, n int) string {
	end := 0
	for range n {
		for end < len(line) && line[end] == ' ' {
			end++
		}
		if end == len(line) {
			return ""
		}
		for end < len(line) && line[end] != ' ' {
			end++
		}
	}
	return line[:end]
}

// ranked ranks a line by its words behind the beginning: a reason first, advice and a line without words last.
func (s spoken) ranked(rank func(string) int) func(string) int {
	return func(text string) int {
		said, has := text, false
		if s.prefix != "" {
			said, has = strings.CutPrefix(text, s.prefix)
		}
		switch {
		case has && strings.TrimSpace(said) == "", adviceWord.MatchString(first(said, 1000)):
			return useless
		case has && (failureWord.MatchString(first(said, 1000)) || reasonWord.MatchString(first(said, 1000))):
			return vital
		case has:
			return plain
		}
		return rank(text)
	}
}

// sameReport is pattern with the place at the beginning and the quoted names replaced as well: reports of one form are shown once. Each
// replaced part is one token, so that lines of one form have equally many.
func sameReport(to []byte, text string) []byte {
	if place := placeMark.FindString(text); place != "" {
		to, text = append(to, '@'), text[len(place)-1:]
	}
	for text != "" {
		open := strings.IndexAny(text, "'\"`")
		if open < 0 {
			break
		}
		end := strings.IndexByte(text[open+1:], text[open])
		if end <= 0 || strings.ContainsAny(text[open+1:open+1+end], apart) {
			to, text = pattern(to, text[:open+1]), text[open+1:]
			continue
		}
		to = append(pattern(to, text[:open]), text[open], '#', text[open])
		text = text[open+end+2:]
	}
	return pattern(to, text)
}
