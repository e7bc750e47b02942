package redact

import (
	"slices"
	"strings"
)

var cards = detector{
	Doc:     "Payment card numbers: issuer range, length and grouping of the brand, and Luhn's check digit.",
	number:  cardNumber,
	Lengths: []int{4, 13, 14, 15, 16, 17, 18, 19},
	Kinds: []kind{{
		Label:    "CARD",
		Doc:      "a payment card number",
		Unmarked: true,
		Yes: []string{
			"Card: «4242424242424242» exp 09/29",
			`{"pan": "«5555 5555 5555 4444»", "amount": 1200}`,
			"charged «3782-822463-10005» ok",
			"paid with «6011-1111-1111-1117».",
			"«4242 4242 4242 4242» 09/29",
			"«2223003122003222»",
			"«30569309025904» is a Diners card",
		},
		No: []string{
			"order 4242424242424243 shipped",
			`{"session_id":"4242424242424242"} order-id=4242424242424242`,
			"ref 4556-6163-1637-1998 closed",
			"ts=1714448809568491 ev=tick",
			`{"snowflake": "973510643402358261", "id": 4111111111111111111}`,
			"uuid 42424242-4242-4242-4242-424242424242",
			"digest a4242424242424242f and 0.4242424242424242",
			"sum 30569309025904 ns",
		},
	}},
}

// A brand is a range of issuer numbers with the lengths and groupings of its cards.
type brand struct {
	low, high int    // first digits of the number, of the same length
	lengths   []int  // of the whole number
	groups    string // lengths of groups, one digit each, when the number is written in groups
	named     bool   // only beside a word for cards, since other numbers begin so
}

// brands are the ranges of ISO/IEC 7812 as the card schemes publish them.
var brands = []brand{
	{low: 4, high: 4, lengths: []int{16}, groups: "4444"},
	{low: 4, high: 4, lengths: []int{13, 19}, named: true},
	{low: 51, high: 55, lengths: []int{16}, groups: "4444"},
	{low: 2221, high: 2720, lengths: []int{16}, groups: "4444"},
	{low: 34, high: 34, lengths: []int{15}, groups: "465"},
	{low: 37, high: 37, lengths: []int{15}, groups: "465"},
	{low: 6011, high: 6011, lengths: []int{16}, groups: "4444"},
	{low: 644, high: 659, lengths: []int{16}, groups: "4444"},
	{low: 3528, high: 3589, lengths: []int{16}, groups: "4444"},
	{low: 62, high: 62, lengths: []int{16}, groups: "4444"},
	{low: 62, high: 62, lengths: []int{17, 18, 19}, named: true},
	{low: 300, high: 305, lengths: []int{14}, groups: "464", named: true},
	{low: 36, high: 36, lengths: []int{14}, groups: "464", named: true},
	{low: 38, high: 39, lengths: []int{14}, groups: "464", named: true},
}

const (
	maxCard      = 19 // digits
	contextBytes = 48 // before and after a number, where words that name it are looked for
)

var cardWords = []string{"card", "visa", "pan", "diners", "unionpay", "maestro", "amex"}

// cardNumber looks at the number whose first n digits stand at i: all of them, or a group of four.
func cardNumber(t *scan, i, n int) int {
	if n == 4 && digits.run(t.s, i+5, i+9) != i+9 { // the second group has four digits or more
		return i + 1
	}
	if end, ok := cardAt(t.s, i); ok {
		t.hit("CARD", i, end)
		return end
	}
	return i + 1
}

// cardAt returns where the card number that begins at i ends.
func cardAt(s string, i int) (end int, ok bool) {
	if !freeLeft(s, i) {
		return 0, false
	}
	for _, b := range brands {
		if !b.begins(s[i:]) {
			continue
		}
		number, end := inGroups(s, i, b.groups)
		if number == "" {
			end = digits.run(s, i, i+maxCard+1)
			number = s[i:end]
		}
		if slices.Contains(b.lengths, len(number)) && freeRight(s, end) && luhn(number) &&
			(!b.named && !identified(s, i) || near(s, i, end, cardWords)) {
			return end, true
		}
	}
	return 0, false
}

// identified reports whether the number at i is the value of a key that names an identifier, as order_id does.
func identified(s string, i int) bool {
	i = keyEnd(s, i)
	start := i
	for start > 0 && i-start < maxKey && nameBytes[s[start-1]] {
		start--
	}
	w := splitWords(s[start:i])
	return w.count > 0 && idWords[string(w.part(w.count-1, w.count))]
}

var idWords = wordSet("id ids uid uuid")

// keyEnd returns where the key ends whose value stands at i, 0 if i is no value.
func keyEnd(s string, i int) int {
	for i > 0 && (quotes[s[i-1]] || s[i-1] == '\\' || blanks[s[i-1]]) {
		i--
	}
	if i == 0 || s[i-1] != ':' && s[i-1] != '=' {
		return 0
	}
	for i--; i > 0 && (quotes[s[i-1]] || s[i-1] == '\\' || blanks[s[i-1]]); {
		i--
	}
	return i
}

// inGroups reads the digits at i that are written in groups of the given lengths, with one space or hyphen, always the
// same, between them. It returns no number if they are not.
func inGroups(s string, i int, groups string) (number string, end int) {
	var all [maxCard]byte
	n, sep := 0, byte(0)
	for g := range len(groups) {
		if g > 0 {
			if i >= len(s) || s[i] != ' ' && s[i] != '-' || sep != 0 && s[i] != sep {
				return "", 0
			}
			sep = s[i]
			i++
		}
		size := int(groups[g] - '0')
		if digits.run(s, i, i+size) != i+size {
			return "", 0
		}
		n += copy(all[n:], s[i:i+size])
		i += size
	}
	return string(all[:n]), i
}

// freeLeft reports whether the number at i is not the end of something longer.
func freeLeft(s string, i int) bool {
	if !startsWord(s, i) {
		return false
	}
	return i == 0 || strings.IndexByte("._-", s[i-1]) < 0 || i == 1 || !alnum[s[i-2]]
}

// freeRight reports whether the number before i is not the beginning of something longer.
func freeRight(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	return !alnum[s[i]] && (strings.IndexByte("._-", s[i]) < 0 || i+1 >= len(s) || !digits[s[i+1]])
}

// luhn reports whether the last digit checks the others, by the formula of ISO/IEC 7812-1.
func luhn(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// begins reports whether the number at the front of text is in the brand's range.
func (b brand) begins(text string) bool {
	lead, i := 0, 0
	for size := b.high; size > 0; size /= 10 {
		if i >= len(text) || !digits[text[i]] {
			return false
		}
		lead = lead*10 + int(text[i]-'0')
		i++
	}
	return b.low <= lead && lead <= b.high
}

// near reports whether one of the words stands shortly before or after, on its own.
func near(s string, start, end int, list []string) bool {
	around := strings.ToLower(s[max(0, start-contextBytes):start] + " " + s[end:min(len(s), end+contextBytes)])
	for _, w := range list {
		for i := strings.Index(around, w); i >= 0; {
			if startsWord(around, i) && endsWord(around, i+len(w)) {
				return true
			}
			next := strings.Index(around[i+1:], w)
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
	return false
}
