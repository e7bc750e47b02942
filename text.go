package ctxmcp

// Clip returns text for use in a message: at most the given number of characters, and … where there were more.
func Clip(text string, most int) string {
	n := 0
	for at := range text {
		if n == most {
			return text[:at] + "…"
		}
		n++
	}
	return text
}
