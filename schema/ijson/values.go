package ijson

import (
	"bytes"
	"math"
)

// Values returns about how many values the JSON in text has: the signs that stand between them, outside of strings.
func Values(text []byte) int {
	count := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ',', ':', '[', '{':
			count++
		case '"':
			i = endOfString(text, i+1)
		}
	}
	return count
}

// endOfString returns where the string that begins before i ends.
func endOfString(text []byte, i int) int {
	for i < len(text) {
		next := bytes.IndexByte(text[i:], '"')
		if next < 0 {
			return math.MaxInt - 1
		}
		i += next
		escapes := 0
		for j := i - 1; text[j] == '\\'; j-- {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
		i++
	}
	return i
}
