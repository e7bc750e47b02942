package ctxmcp

import "math"

// Cut returns the first characters of a text: at most the given number.
func Cut(text string, most int) string {
	n := 0
	for at := range text {
		if n == most {
			return text[:at]
		}
		n++
	}
	return text
}

// Clip returns text for use in a message: at most the given number of characters, and … where there were more.
func Clip(text string, most int) string {
	if cut := Cut(text, most); len(cut) < len(text) {
		return cut + "…"
	}
	return text
}

// Shorten returns text in at most the given number of characters, of which … is the last where there were more.
func Shorten(text string, most int) string {
	if Cut(text, most) == text {
		return text
	}
	return Cut(text, most-1) + "…"
}

// Round returns x with four decimals, as answers tell shares: a comparison does not hang on the last bits of a sum.
func Round(x float64) float64 { return math.Round(x*1e4) / 1e4 }
