package redact

import (
	"cmp"
	"slices"
	"strings"
)

// A token is one row of the table of vendors: a literal that every token of the sort holds, and what surrounds it.
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
	Doc:   "Tokens that vendors issue with a prefix of their own, by a table of prefix, bytes and length.",
	find:  findTokens,
	Kinds: vendorKinds(),
}

// tokens are all rows, the longer prefix first, so that a row for sk-ant- is tried before the one for sk-.
var tokens = func() []token {
	rows := slices.Concat(codeTokens, cloudTokens, serviceTokens)
	slices.SortStableFunc(rows, func(a, b token) int { return cmp.Compare(len(b.Prefix), len(a.Prefix)) })
	return rows
}()

var tokenPrefixes = func() *literals {
	var list []string
	for _, t := range tokens {
		list = append(list, t.Prefix)
	}
	return newLiterals(false, list...)
}()

// vendorKinds makes a kind of each label in the table. The samples of a row follow from the row; the test builds them.
func vendorKinds() []kind {
	var list []kind
	for _, t := range slices.Concat(codeTokens, cloudTokens, serviceTokens) {
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
		"the asset is index-T1ugKvb5.js and app.8ea9aedd4b81489684d9.js",
	}
	return list
}

// findTokens tries the rows at each place where a prefix stands.
func findTokens(s string, hit func(span)) {
	for i := tokenPrefixes.next(s, 0); i >= 0; {
		on := i + 1
		for _, k := range tokenPrefixes.heads[s[i]] {
			if !tokenPrefixes.is(s, i, k) {
				continue
			}
			if sp, ok := tokens[k].at(s, i); ok {
				hit(sp)
				on = sp.end
				break
			}
		}
		i = tokenPrefixes.next(s, on)
	}
}

// at returns the token whose prefix stands at i.
func (t *token) at(s string, i int) (span, bool) {
	start, ok := t.begin(s, i)
	if !ok {
		return span{}, false
	}
	body := i + len(t.Prefix)
	end := t.end(s, body, body+looked)
	if n := end - body; n < t.Min || t.Max > 0 && n > t.Max {
		return span{}, false
	}
	if standIn(s[body:end]) || t.Check != nil && !t.Check(s[body:end]) {
		return span{}, false
	}
	if t.Public {
		start = body
	}
	return span{start: start, end: t.end(s, end, len(s)), label: t.Label}, true
}

// end returns where the body that begins at from ends, at most limit. A full stop at its end belongs to the sentence.
func (t *token) end(s string, from, limit int) int {
	end := t.Body.run(s, from, limit)
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

// dense reports whether the body holds a stretch that no one would take for words. It guards prefixes that are also
// the beginning of names.
func dense(body string) bool { return random(body, 16) }
