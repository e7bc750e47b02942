package redact

import (
	"cmp"
	"slices"
	"strings"
)

// A token is one row of the table of vendors: a literal that every token of the sort holds, and the form of its surroundings.
type token struct {
	Label  string
	Doc    string
	Prefix string                 // two bytes or more; the token begins with it, unless it has a lead
	Body   *class                 // the bytes after the prefix
	Min    int                    // fewest bytes of body
	Max    int                    // most; a longer run is something else. 0: no bound, the whole run is the token
	Lead   lead                   // bytes before the prefix that belong to the token
	Public bool                   // the prefix stays, as the address of a webhook does
	Check  func(body string) bool // further doubt about the first looked bytes of the body; nil: none
}

// A lead is the part of a token before its literal.
type lead struct {
	class    *class
	min, max int
}

const (
	looked     = 128 // bytes of a body that decide whether it is one
	fewestInks = 5   // a body with fewer different bytes was typed as a stand-in: xxxxxxxx
)

var vendorTokens = detector{
	Doc:     "Tokens that vendors issue with a prefix of their own, by a table of prefix, bytes and length.",
	Anchors: tokenAnchors,
	at:      tokensAt,
	Kinds:   vendorKinds(),
}

// tokens are all rows, the longer prefix first, so that a row for sk-ant- is tried before the one for sk-.
var tokens = func() []token {
	rows := slices.Concat(codeTokens, cloudTokens, serviceTokens, tailTokens)
	slices.SortStableFunc(rows, func(a, b token) int { return cmp.Compare(len(b.Prefix), len(a.Prefix)) })
	return rows
}()

// tokenAnchors and tokenGroups are the rows by the shortest prefix with which they begin, so that of sk-ant- and sk- only the latter is an
// anchor.
var tokenAnchors, tokenGroups = func() (anchors []string, groups [][]*token) {
	for i := len(tokens) - 1; i >= 0; i-- {
		row := &tokens[i]
		g := slices.IndexFunc(anchors, func(a string) bool { return strings.HasPrefix(row.Prefix, a) })
		if g < 0 {
			g = len(anchors)
			anchors, groups = append(anchors, row.Prefix), append(groups, nil)
		}
		groups[g] = append(groups[g], row)
	}
	for _, g := range groups {
		slices.Reverse(g)
	}
	return anchors, groups
}()

// vendorKinds makes a kind of each label in the table. The samples of a row follow from the row; the test builds them.
func vendorKinds() []kind {
	var list []kind
	for _, t := range slices.Concat(codeTokens, cloudTokens, serviceTokens, tailTokens) {
		if !slices.ContainsFunc(list, func(k kind) bool { return k.Label == t.Label }) {
			list = append(list, kind{Label: t.Label, Doc: t.Doc})
		}
	}
	list[0].No = []string{
		"Using task-management-service-rkjmqalh-deployment-smt9u52e6j-6pcj3",
		"export OPENAI_API_KEY=sk-" + strings.Repeat("x", 48),
		"pip install sk-learn-contrib-extensions-and-more",
		"AKIA" + "IOSFODNN7EXAMPLE is the key id of the vendor's documentation.",
		"pk_live_oVibzSrSYJHYs049zu0jlECC may be published",
		"if !s.ReadUint16LengthPrefixed(&x) {",
		"the asset is index-T1ugKvb5.js and app.8ea9aedd4b81489684d9.js",
	}
	return list
}

// tokensAt tries the rows that begin with the anchor, the longer prefix first.
func tokensAt(t *scan, i, k int) int {
	for _, row := range tokenGroups[k] {
		if !strings.HasPrefix(t.s[i:], row.Prefix) {
			continue
		}
		if start, end, ok := row.at(t.s, i); ok {
			t.hit(row.Label, start, end)
			return t.awsSecret(row, end)
		}
	}
	return i // another prefix may begin here too
}

// awsSecret takes the secret key that stands beside the id of an AWS key which ends at i, as in a call or in a table. It
// returns where to go on.
func (t *scan) awsSecret(row *token, i int) int {
	if row.Label != "AWS_ACCESS_KEY_ID" {
		return i
	}
	start := between.run(t.s, i, i+12)
	end := padded.run(t.s, start, start+looked)
	if end-start == 40 && random(t.s[start:end], 8) {
		t.hit("SECRET", start, end)
		return end
	}
	return i
}

// between are the signs between two values.
var between = classOf(" \t,;:|\"'`\\")

// at returns the token whose prefix stands at i.
func (t *token) at(s string, i int) (start, end int, ok bool) {
	if start, ok = t.begin(s, i); !ok {
		return 0, 0, false
	}
	from := i + len(t.Prefix)
	body, end := t.body(s, from)
	if len(body) < t.Min || t.Max > 0 && len(body) > t.Max || standIn(body) || title(body) || t.Check != nil && !t.Check(body) {
		return 0, 0, false
	}
	if end < len(s) && s[end] == '(' { // a function
		return 0, 0, false
	}
	if t.Public {
		start = from
	}
	return start, t.trim(s, end, joinedRun(s, t.Body, end, len(s))), true
}

// body returns the bytes of the token that begin at from, looked bytes or a few more, and where they end.
func (t *token) body(s string, from int) (text string, end int) {
	end = t.trim(s, from, t.Body.run(s, from, from+looked))
	text = s[from:end]
	for range maxJoins {
		next, sure := sureJoin(s, end), true
		if next == 0 && len(text) < t.Min && len(text) >= minPiece {
			next, sure = likelyJoin(s, end), false
		}
		stop := t.trim(s, next, t.Body.run(s, next, next+looked))
		if next == 0 || len(text) >= looked || stop-next < minPiece || !sure && !piece(s, next, stop) {
			break
		}
		text, end = text+s[next:stop], stop
	}
	return text, end
}

// trim returns end without a full stop at the end of the body: it belongs to the sentence.
func (t *token) trim(s string, from, end int) int {
	for end > from && s[end-1] == '.' {
		end--
	}
	return end
}

// begin returns where the token starts, its lead included. A token does not start within a word.
func (t *token) begin(s string, i int) (int, bool) {
	if t.Lead.class == nil {
		return i, t.Public || startsWord(s, i)
	}
	start := i
	for start > 0 && i-start <= t.Lead.max && t.Lead.class[s[start-1]] {
		start--
	}
	n := i - start
	return start, t.Lead.min <= n && n <= t.Lead.max && startsWord(s, start)
}

// standIn reports whether the body was typed to stand for a token. Of a few bytes nobody can tell.
func standIn(body string) bool {
	if len(body) < fewestInks*2 {
		return false
	}
	var seen class
	inks := 0
	for i := range len(body) {
		if !seen[body[i]] {
			seen[body[i]] = true
			inks++
		}
	}
	return inks < fewestInks
}

// title reports whether the body is a name of several words, each with its capital. Chance does not give three words
// without putting two capitals side by side.
func title(body string) bool {
	words := 0
	for i := 0; i < len(body); i++ {
		switch {
		case !letters[body[i]]:
			return false
		case isUpper(body[i]):
			if i+2 >= len(body) || !isLower(body[i+1]) || !isLower(body[i+2]) {
				return false
			}
			words++
		}
	}
	return words >= 3
}

// chance reports whether the body is one that no program would have as a name.
func chance(body string) bool { return dense(body) && !camel(body) }

// dense reports whether the body holds a stretch that no one would take for words. It guards prefixes that are also
// the beginning of names.
func dense(body string) bool { return random(body, 16) }
