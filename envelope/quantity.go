package envelope

import (
	"strconv"
	"strings"
)

// quantity is a token with its only number, read once; begin and end are 0 in a token that has none, or several.
type quantity struct {
	token      string
	begin, end int // of the number
	number     float64
}

// one reports whether the token has one number.
func (q quantity) one() bool { return q.end > 0 }

// quantityOf finds the only number of a token.
func quantityOf(token string) quantity {
	none := quantity{token: token}
	begin := nextDigit(token, 0)
	if begin == len(token) {
		return none
	}
	end := begin
	for end < len(token) && (isDigit(token[end]) || token[end] == '.' && end+1 < len(token) && isDigit(token[end+1])) {
		end++
	}
	if nextDigit(token, end) < len(token) {
		return none
	}
	number, ok := numberOf(token[begin:end])
	if !ok {
		return none
	}
	return quantity{token, begin, end, number}
}

// compare orders two tokens that have one number each in the same surroundings, or that are of one length and form, as dates and times
// are. known is false for others.
func (q quantity) compare(r quantity) (order int, known bool) {
	if q.one() != r.one() {
		return 0, false
	}
	if !q.one() {
		return compareForm(q.token, r.token)
	}
	switch {
	case q.token[:q.begin] != r.token[:r.begin] || q.token[q.end:] != r.token[r.end:]:
		return 0, false
	case q.number < r.number:
		return -1, true
	case q.number > r.number:
		return 1, true
	}
	return 0, true
}

// above reports whether a token comes after one that it is known to compare with.
func (q quantity) above(r quantity) bool {
	if q.one() {
		return q.number > r.number
	}
	return q.token > r.token
}

// compareForm orders two tokens that have the same signs at the same places, and digits elsewhere.
func compareForm(a, b string) (order int, known bool) {
	if len(a) != len(b) {
		return 0, false
	}
	for i := range len(a) {
		digitA, digitB := isDigit(a[i]), isDigit(b[i])
		if digitA != digitB || !digitA && a[i] != b[i] {
			return 0, false
		}
	}
	return strings.Compare(a, b), true
}

const exactDigits = 15 // of a whole number that a float64 holds as it is

// numberOf reads digits with points between them. It is no number if there are several points.
func numberOf(text string) (number float64, ok bool) {
	if len(text) <= exactDigits {
		whole := 0
		for i := range len(text) {
			if !isDigit(text[i]) {
				number, err := strconv.ParseFloat(text, 64)
				return number, err == nil
			}
			whole = whole*10 + int(text[i]-'0')
		}
		return float64(whole), true
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

// nextDigit returns the place of the first digit from a place on; the length of the text if there is none.
func nextDigit(text string, from int) int {
	for from < len(text) && !isDigit(text[from]) {
		from++
	}
	return from
}

func isDigit(c byte) bool { return c-'0' <= 9 }
