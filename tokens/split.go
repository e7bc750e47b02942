package tokens

import "strings"

// splitter returns the length of the first piece of a text that is not empty. Tokens never reach over a piece's end.
type splitter func(text string) int

// splitO200k is the regular expression of o200k_base, by hand:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
func splitO200k(text string) int {
	first, size := classAt(text)
	if first.is(prefix) { // the optional mark before a word comes first, then the word without it
		if end := lowerWord(text, size); end > 0 {
			return end
		}
	}
	if end := lowerWord(text, 0); end > 0 {
		return end
	}
	if first.is(prefix) {
		if end := upperWord(text, size); end > 0 {
			return end
		}
	}
	if end := upperWord(text, 0); end > 0 {
		return end
	}
	return splitRest(text, first, "\r\n/")
}

// splitCl100k is the regular expression of cl100k_base, by hand:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
func splitCl100k(text string) int {
	if n := contraction(text); n > 0 {
		return n
	}
	first, size := classAt(text)
	start := 0
	if first.is(prefix) {
		start = size
	}
	if end := span(text, start, letter); end > start {
		return end
	}
	return splitRest(text, first, "\r\n")
}

// lowerWord returns the end of a word from start that ends in lower case, with a contraction, or 0. Letters of scripts
// without case are of both cases: if nothing of lower case follows, the word ends with the last of them.
func lowerWord(text string, start int) int {
	end, last := start, 0
	for end < len(text) {
		c, size := classAt(text[end:])
		if !c.is(upper) {
			break
		}
		end += size
		if c.is(lower) {
			last = end
		}
	}
	if stop := span(text, end, lower); stop > end {
		last = stop
	}
	if last == 0 {
		return 0
	}
	return last + contraction(text[last:])
}

// upperWord returns the end of a word from start that begins in upper case, with a contraction, or 0.
func upperWord(text string, start int) int {
	end := span(text, start, upper)
	if end == start {
		return 0
	}
	end = span(text, end, lower)
	return end + contraction(text[end:])
}

// splitRest splits text without words: digits in threes, signs with the line ends and slashes after them, and blanks.
func splitRest(text string, first class, after string) int {
	if first.is(number) {
		return digits(text)
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	if end := span(text, start, sign); end > start {
		return end + len(text[end:]) - len(strings.TrimLeft(text[end:], after))
	}
	return blanks(text)
}

func digits(text string) int {
	end := 0
	for range 3 {
		c, size := classAt(text[end:])
		if !c.is(number) {
			break
		}
		end += size
	}
	return end
}

// blanks splits a run of blanks: up to its last line end; else all but the last blank, which goes with the word behind it.
func blanks(text string) int {
	end, line, last := 0, 0, 0
	for end < len(text) {
		c, size := classAt(text[end:])
		if !c.is(space) {
			break
		}
		last = end
		end += size
		if c.is(newline) {
			line = end
		}
	}
	switch {
	case line > 0:
		return line
	case end == len(text) || last == 0:
		return end
	default:
		return last
	}
}

// span returns the end of the run of characters of a class from start.
func span(text string, start int, of class) int {
	for start < len(text) {
		c, size := classAt(text[start:])
		if !c.is(of) {
			break
		}
		start += size
	}
	return start
}

// contraction returns the length of the English contraction that text begins with, or 0. The long s is an s.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		if len(text) > 2 && text[2]|0x20 == 'e' {
			return 3
		}
	case 'l':
		if len(text) > 2 && text[2]|0x20 == 'l' {
			return 3
		}
	}
	if strings.HasPrefix(text[1:], "ſ") {
		return 1 + len("ſ")
	}
	return 0
}
