package envelope

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fold is a number of lines that differ in numbers and ids only.
type fold struct {
	members []int  // numbers of lines from 0, ascending
	alike   bool   // the lines are equal
	middle  int    // a member whose worth is in the middle; -1 if not asked for
	text    string // that tells of them; "" if not asked for
	cost    int    // tokens of the text; 0 if not asked for
}

// foldsOf groups the lines that have an equal key; a negative one is none.
func foldsOf(lines []string, keys []int) []*fold {
	byKey := make([]*fold, slices.Max(keys)+1)
	of := make([]*fold, len(lines))
	for i, key := range keys {
		if key < 0 || strings.TrimSpace(lines[i]) == "" {
			continue
		}
		f := byKey[key]
		if f == nil {
			f = &fold{alike: true, middle: -1}
			byKey[key] = f
		}
		f.alike = f.alike && (len(f.members) == 0 || lines[f.members[0]] == lines[i])
		f.members = append(f.members, i)
		of[i] = f
	}
	return of
}

// apart are the signs that part the tokens of a line that is folded.
const apart = " \t=\",;()[]{}<>|'"

const mostNamed = 3 // values of a token that are named one by one

// told returns one line for all members: what they have in common, with what varies in its place, and how many they are.
func (f *fold) told(lines []string, most int, noun string) string {
	if f.text != "" {
		return f.text
	}
	f.text = f.tellOf(f.members, lines, most, noun)
	return f.text
}

// tellOf returns one line for some members, two at the least.
func (f *fold) tellOf(members []int, lines []string, most int, noun string) string {
	if f.alike {
		return fmt.Sprintf("%s (×%d)", clipped(lines[members[0]], most), len(members))
	}
	variety := newVariety(lines[members[0]])
	for _, m := range members[1:] {
		variety.add(lines[m])
	}
	return fmt.Sprintf("%s (×%d %ss)", clipped(variety.String(), most), len(members), noun)
}

// clipped returns a line of at most most bytes.
func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	kept := first(text, most)
	return kept + fmt.Sprintf("… (+%d bytes)", len(text)-len(kept))
}

// variety is how the tokens of lines of one form vary.
type variety struct {
	tokens []string // of the first line, with the signs between them
	vary   []*values
}

// values are the values of a token: the first ones, and their range as far as they have one.
type values struct {
	named       []string // distinct, at most one more than are named
	least, most string
	ranged      bool
}

func newVariety(line string) *variety {
	v := &variety{tokens: tokensOf(line)}
	v.vary = make([]*values, len(v.tokens))
	return v
}

// add takes in a further line of the same form.
func (v *variety) add(line string) {
	at, end := 0, 0
	for i := range v.tokens {
		end = tokenOf(line, at)
		if token := line[at:end]; token != v.tokens[i] || v.vary[i] != nil {
			if v.vary[i] == nil {
				v.vary[i] = &values{named: []string{v.tokens[i]}, least: v.tokens[i], most: v.tokens[i], ranged: true}
			}
			v.vary[i].add(token)
		}
		at = end
	}
}

func (v *values) add(token string) {
	if len(v.named) <= mostNamed && !slices.Contains(v.named, token) {
		v.named = append(v.named, token)
	}
	if !v.ranged {
		return
	}
	switch low, known := ordered(token, v.least); {
	case !known:
		v.ranged = false
	case low < 0:
		v.least = token
	default:
		if high, _ := ordered(token, v.most); high > 0 {
			v.most = token
		}
	}
}

// String says what there is: the values where they are few, and else the range, or the first ones.
func (v *values) String() string {
	switch {
	case len(v.named) <= mostNamed:
		return strings.Join(v.named, "|")
	case v.ranged:
		return v.least + ".." + v.most
	}
	return strings.Join(v.named[:2], "|") + "|…"
}

// String returns the line with what varies in the place of each token.
func (v *variety) String() string {
	var b strings.Builder
	for i, token := range v.tokens {
		if v.vary[i] != nil {
			token = v.vary[i].String()
		}
		b.WriteString(token)
	}
	return b.String()
}

func tokensOf(line string) (tokens []string) {
	for at := 0; at < len(line); {
		end := tokenOf(line, at)
		tokens = append(tokens, line[at:end])
		at = end
	}
	return tokens
}

// tokenOf returns the end of the token at a place: a run of signs that part, or of what stands between them.
func tokenOf(line string, at int) int {
	if at >= len(line) {
		return at
	}
	parts := strings.IndexByte(apart, line[at]) >= 0
	for at < len(line) && (strings.IndexByte(apart, line[at]) >= 0) == parts {
		at++
	}
	return at
}

// ordered compares two tokens that have one number each in the same surroundings, or that are of one length and form, as dates and times
// are. known is false for others.
func ordered(a, b string) (order int, known bool) {
	beforeA, x, afterA, oneA := oneNumber(a)
	beforeB, y, afterB, oneB := oneNumber(b)
	if oneA && oneB {
		if beforeA != beforeB || afterA != afterB {
			return 0, false
		}
		switch {
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		}
		return 0, true
	}
	if oneA != oneB || len(a) != len(b) {
		return 0, false
	}
	for i := range len(a) { // the same signs at the same places, and digits elsewhere
		digitA, digitB := letterClass(a[i]) == digits, letterClass(b[i]) == digits
		if digitA != digitB || !digitA && a[i] != b[i] {
			return 0, false
		}
	}
	return strings.Compare(a, b), true
}

// oneNumber splits a token at its only number.
func oneNumber(token string) (before string, number float64, after string, one bool) {
	begin := strings.IndexAny(token, "0123456789")
	if begin < 0 {
		return "", 0, "", false
	}
	end := begin
	for end < len(token) && (letterClass(token[end]) == digits || token[end] == '.' && end+1 < len(token) && letterClass(token[end+1]) == digits) {
		end++
	}
	if strings.ContainsAny(token[end:], "0123456789") {
		return "", 0, "", false
	}
	number, err := strconv.ParseFloat(token[begin:end], 64)
	return token[:begin], number, token[end:], err == nil
}
