package tokens

import "unicode/utf8"

// longest is how many bytes a token can have in text that anyone writes.
const longest = 32

// Longest returns the bytes beyond which no text fits most tokens.
func Longest(most int) int { return most * longest }

// Fit returns the length in bytes of the longest beginning of text that has at most most tokens and ends between two
// characters. It counts a number of beginnings that grows with the logarithm of the result, and nothing far beyond it.
func Fit(c Counter, text string, most int) int {
	if most <= 0 {
		return 0
	}
	high := min(len(text), Longest(most))
	if high == len(text) && c.Count(text) <= most {
		return high
	}
	low := 0 // fits; high does not, or is not known to
	for step := most; low+step < high; step *= 2 {
		end := boundary(text, low+step)
		if c.Count(text[:end]) > most {
			high = end
			break
		}
		low = end
	}
	for low < high {
		middle := boundary(text, low+(high-low+1)/2)
		if middle <= low { // one character is left between them, or none
			_, size := utf8.DecodeRuneInString(text[low:])
			middle = low + size
		}
		if c.Count(text[:middle]) <= most {
			low = middle
		} else {
			high = boundary(text, middle-1)
		}
	}
	return boundary(text, low)
}

// Fits reports whether text has at most most tokens, without counting a text that is far too long.
func Fits(c Counter, text string, most int) bool {
	return text == "" || most > 0 && len(text) <= Longest(most) && c.Count(text) <= most
}

// boundary returns the last place between two characters at or before n.
func boundary(text string, n int) int {
	if n >= len(text) {
		return len(text)
	}
	for i := 0; i < utf8.UTFMax && n > 0 && !utf8.RuneStart(text[n]); i++ {
		n--
	}
	return n
}
