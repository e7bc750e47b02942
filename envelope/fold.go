package envelope

import (
	"fmt"
	"slices"
	"strings"
)

// fold is a number of lines that differ in numbers and ids only.
type fold struct {
	members []int      // numbers of lines from 0, ascending
	alike   bool       // the lines are equal
	middle  int        // a member whose worth is in the middle; -1 if not asked for
	text    string     // that tells of them; "" if not asked for
	cost    int        // tokens of the text; 0 if not asked for
	blocks  []*variety // of the members, as many as a block has each; nil if not asked for
}

// inBlock is the number of members whose variety is read once, for every choice among them.
const inBlock = 256

// foldsOf groups the lines that have an equal key; a negative one is none.
func foldsOf(lines []string, keys []int) []*fold {
	byKey := make([]*fold, slices.Max(keys)+1)
	of := make([]*fold, len(lines))
	for i, key := range keys {
		if key < 0 || !says(lines[i]) {
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

// says reports whether a line has a letter or a digit: of one with signs alone, such as a closing brace, each belongs to another line.
func says(line string) bool {
	for i := range len(line) {
		if letterClass(line[i]) != noWord {
			return true
		}
	}
	return false
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
	return fmt.Sprintf("%s (×%d %ss)", clipped(f.varietyOf(members, lines).String(), most), len(members), noun)
}

// varietyOf returns how some members vary. The blocks that they hold whole are read once for all choices.
func (f *fold) varietyOf(members []int, lines []string) *variety {
	v := newVariety(lines[members[0]])
	for n := 0; len(members) > 0; n++ {
		block := f.members[n*inBlock : min((n+1)*inBlock, len(f.members))]
		end, found := slices.BinarySearch(members, block[len(block)-1])
		if found {
			end++
		}
		if end != len(block) || !v.join(f.block(n, block, lines)) {
			for _, m := range members[:end] {
				v.add(lines[m])
			}
		}
		members = members[end:]
	}
	return v
}

// block returns how the members of the n-th block vary.
func (f *fold) block(n int, members []int, lines []string) *variety {
	if f.blocks == nil {
		f.blocks = make([]*variety, (len(f.members)+inBlock-1)/inBlock)
	}
	if f.blocks[n] == nil {
		v := newVariety(lines[members[0]])
		for _, m := range members[1:] {
			v.add(lines[m])
		}
		f.blocks[n] = v
	}
	return f.blocks[n]
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
	least, most quantity
	ranged      bool
}

func valuesOf(token string) *values {
	q := quantityOf(token)
	return &values{named: []string{token}, least: q, most: q, ranged: true}
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
				v.vary[i] = valuesOf(v.tokens[i])
			}
			v.vary[i].add(token)
		}
		at = end
	}
}

// join takes in the lines of another variety, as add does one by one, and reports whether it could: only with as many tokens.
func (v *variety) join(o *variety) bool {
	if len(v.tokens) != len(o.tokens) {
		return false
	}
	for i, token := range o.tokens {
		if o.vary[i] == nil && v.vary[i] == nil && token == v.tokens[i] {
			continue
		}
		if v.vary[i] == nil {
			v.vary[i] = valuesOf(v.tokens[i])
		}
		if o.vary[i] == nil {
			v.vary[i].add(token)
		} else {
			v.vary[i].join(o.vary[i])
		}
	}
	return true
}

// name takes in a value as one of those that are named.
func (v *values) name(token string) {
	if len(v.named) <= mostNamed && !slices.Contains(v.named, token) {
		v.named = append(v.named, token)
	}
}

// join takes in all of other values, which come later. Those that can be compared are so with all of their like.
func (v *values) join(o *values) {
	for _, token := range o.named {
		v.name(token)
	}
	low, known := o.least.compare(v.least)
	if v.ranged = v.ranged && o.ranged && known; !v.ranged {
		return
	}
	if low < 0 {
		v.least = o.least
	}
	if high, _ := o.most.compare(v.most); high > 0 {
		v.most = o.most
	}
}

func (v *values) add(token string) {
	v.name(token)
	if !v.ranged {
		return
	}
	q := quantityOf(token)
	switch low, known := q.compare(v.least); {
	case !known:
		v.ranged = false
	case low < 0:
		v.least = q
	case q.above(v.most):
		v.most = q
	}
}

// String says what there is: the values where they are few, and else the range, or the first ones.
func (v *values) String() string {
	switch {
	case len(v.named) <= mostNamed:
		return strings.Join(v.named, "|")
	case v.ranged:
		return v.least.token + ".." + v.most.token
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
	parts := parting[line[at]]
	for at < len(line) && parting[line[at]] == parts {
		at++
	}
	return at
}

// parting says of each byte whether it is one of the signs that part.
var parting = func() (is [256]bool) {
	for _, sign := range []byte(apart) {
		is[sign] = true
	}
	return is
}()
