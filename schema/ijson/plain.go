package ijson

import "encoding/binary"

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// afterPlain returns the first place from at on that holds a quote, a backslash or a control character. It looks at eight bytes at once, as in
// https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord.
func afterPlain(text []byte, at int) int {
	for ; at+8 <= len(text); at += 8 {
		w := binary.LittleEndian.Uint64(text[at:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		found := (w - ones*' ') &^ w // below a blank
		found |= (quote - ones) &^ quote
		found |= (slash - ones) &^ slash
		if found&highs != 0 {
			break
		}
	}
	for at < len(text) && text[at] >= ' ' && text[at] != '"' && text[at] != '\\' {
		at++
	}
	return at
}
