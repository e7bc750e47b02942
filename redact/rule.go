package redact

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

const (
	ruleBefore = 80  // bytes before a keyword in which its rule is tried
	ruleAfter  = 400 // bytes after it
	longToken  = 32  // bytes of a token that chance gives a digit
)

// A Rule finds secrets by a regular expression near a keyword. Its form is that of gitleaks' table.
type Rule struct {
	ID       string
	Label    string            // VENDOR_SECRET or CUSTOM; empty: CUSTOM
	Keywords []string          // in ASCII, either case; the expressions are tried near them only
	Compile  func() Expression // called once at most, when a text first has a keyword
	Group    int               // of the expression, that holds the secret; 0: the first group that matched, or all
	Entropy  float64           // bits a byte that the secret must have
	Stop     []string          // words of which a secret holds none, in lower case
}

// An Expression describes the text that a rule looks for.
type Expression struct {
	Regex *regexp.Regexp
	Allow []*regexp.Regexp // a text in which one of these matches is no secret
}

// With returns a copy that also follows the rules. It returns an error if one has no keyword, since it would have to
// be tried everywhere, or no expression, or a label that is not for rules.
func (r *Redactor) With(rules ...Rule) (*Redactor, error) {
	if err := checkRules(rules); err != nil {
		return nil, err
	}
	return r.with(r.hidden, func() []Rule { return append(slices.Clone(rules), r.rules()...) }), nil
}

// Later returns a copy that also follows the rules of a table, behind the others. The table is read once, when a text is redacted first: a program
// that starts does not wait for it. A rule that With refuses fails every text then.
func (r *Redactor) Later(table func() ([]Rule, error)) *Redactor {
	read := sync.OnceValue(func() []Rule {
		rules, err := table()
		if err == nil {
			err = checkRules(rules)
		}
		if err != nil {
			panic(err)
		}
		return rules
	})
	return r.with(r.hidden, func() []Rule { return append(slices.Clone(r.rules()), read()...) })
}

// checkRules returns an error if a rule cannot be followed.
func checkRules(rules []Rule) error {
	for i := range rules {
		rule := &rules[i]
		switch {
		case rule.Compile == nil:
			return fmt.Errorf("rule %q has no expression", rule.ID)
		case len(rule.Keywords) == 0:
			return fmt.Errorf("rule %q has no keyword", rule.ID)
		case rule.Label != "" && rule.Label != VendorSecret && rule.Label != Custom:
			return fmt.Errorf("rule %q has label %q: want %s or %s", rule.ID, rule.Label, VendorSecret, Custom)
		}
	}
	return nil
}

// The labels of rules.
const (
	VendorSecret = "VENDOR_SECRET"
	Custom       = "CUSTOM"
)

// A prepared rule compiles its expression when it is needed first, and knows the literals that every match of it has, so that most
// windows are dismissed without it.
type prepared struct {
	Rule
	compiled func() compiled
}

// compiled is an expression with the longest run that every match of it holds.
type compiled struct {
	Expression
	class *class // bytes of that run
	run   int    // how many
}

func prepare(rule Rule) *prepared {
	if rule.Label == "" {
		rule.Label = Custom
	}
	return &prepared{Rule: rule, compiled: sync.OnceValue(func() compiled {
		c := compiled{Expression: rule.Compile()}
		c.class, c.run = longestRun(c.Regex)
		return c
	})}
}

// ruled is the detector of the rules.
func ruled(rules []Rule) detector {
	d := detector{
		Doc: "Secrets by rules of a table, each near its keyword: the long tail of vendors, and an installation's own.",
		Kinds: []kind{
			{Label: VendorSecret, Doc: "a secret that a rule of the table of vendors found"},
			{Label: Custom, Doc: "a secret that a rule of the configuration found"},
		},
	}
	var list []*prepared
	var of []int // rule, by anchor
	for i, rule := range rules {
		list = append(list, prepare(rule))
		for _, keyword := range rule.Keywords {
			d.Anchors = append(d.Anchors, keyword)
			of = append(of, i)
		}
	}
	d.at = func(t *scan, i, k int) int {
		t.window(list, of[k], i, i+len(d.Anchors[k]))
		return 0 // several rules may share a keyword
	}
	d.finish = func(t *scan) {
		for n, w := range t.windows {
			t.try(list[n], w)
		}
	}
	return d
}

// window widens the window of rule n by the keyword from i to end. A window that lies apart is tried first.
func (t *scan) window(list []*prepared, n, i, end int) {
	if t.windows == nil {
		t.windows = make([]stretch, len(list))
	}
	w := &t.windows[n]
	if w.end > 0 && i-ruleBefore > w.end {
		t.try(list[n], *w)
		w.end = 0
	}
	if w.end == 0 {
		w.start = max(0, i-ruleBefore)
	}
	w.end = min(len(t.s), end+ruleAfter)
}

// try runs the rule's expression over the window, if that holds the run which every match needs.
func (t *scan) try(p *prepared, w stretch) {
	if t.ended() {
		return
	}
	text, c := t.s[w.start:w.end], p.compiled()
	if !c.class.has(text, c.run) {
		return
	}
	for _, m := range c.Regex.FindAllStringSubmatchIndex(text, -1) {
		start, end := p.group(m)
		if p.secret(text[start:end]) && !(p.Label == VendorSecret && asset(text[end:])) {
			t.hit(p.Label, w.start+start, w.start+end)
		}
	}
}

// group returns the group of the match that holds the secret.
func (p *prepared) group(m []int) (start, end int) {
	if p.Group > 0 && p.Group*2+1 < len(m) && m[p.Group*2] >= 0 {
		return m[p.Group*2], m[p.Group*2+1]
	}
	for g := 2; g+1 < len(m) && p.Group == 0; g += 2 {
		if m[g] >= 0 && m[g+1] > m[g] {
			return m[g], m[g+1]
		}
	}
	return m[0], m[1]
}

// secret reports whether the match of the expression is a secret, by the rule's own doubts and ours.
func (p *prepared) secret(text string) bool {
	if text == "" || reference(text) || standIn(text) || entropy(text) < p.Entropy {
		return false
	}
	if p.Label == VendorSecret && (len(text) >= longToken && !hasDigit(text) || camel(text)) {
		return false
	}
	for _, allow := range p.compiled().Allow {
		if allow.MatchString(text) {
			return false
		}
	}
	return !containsAny(strings.ToLower(text), p.Stop...)
}

// asset reports whether the text goes on as the name of a file does whose bytes give it its name.
func asset(rest string) bool {
	return hasAnyPrefix(rest, ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".mjs", ".map", ".woff")
}

// camel reports whether the text is a name of a program, in which words follow each other: small letters turn to
// capitals, and letters to digits, in less than one place of five. Chance has about two.
func camel(text string) bool {
	turns := 0
	for i := 1; i < len(text); i++ {
		if isLower(text[i-1]) && isUpper(text[i]) || digits[text[i-1]] != digits[text[i]] {
			turns++
		}
	}
	return humps(text) > 1 && turns*5 < len(text)
}

// has reports whether n bytes of c stand together in the text.
func (c *class) has(text string, n int) bool {
	if n < 2 {
		return true
	}
	for i := n - 1; i < len(text); i += n {
		start := i
		for start > 0 && i-start < n && c[text[start-1]] {
			start--
		}
		if c[text[i]] && c.run(text, i, start+n) == start+n {
			return true
		}
	}
	return false
}

// longestRun returns the bytes and the length of the longest run that every match of the expression holds.
func longestRun(expression *regexp.Regexp) (*class, int) {
	tree, err := syntax.Parse(expression.String(), syntax.Perl)
	if err != nil {
		return new(class), 0
	}
	best, n := new(class), 0
	var walk func(re *syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpCapture, syntax.OpPlus:
			walk(re.Sub[0])
		case syntax.OpConcat:
			for _, sub := range re.Sub {
				walk(sub)
			}
		case syntax.OpRepeat:
			if c := bytesOf(re.Sub[0]); c != nil && re.Min > n {
				best, n = c, re.Min
			}
		}
	}
	walk(tree)
	return best, n
}

// bytesOf returns the bytes that the expression matches, if it is a class of characters.
func bytesOf(re *syntax.Regexp) *class {
	if re.Op != syntax.OpCharClass {
		return nil
	}
	c := new(class)
	for i := 0; i < len(re.Rune); i += 2 {
		for b := re.Rune[i]; b <= re.Rune[i+1] && b < 256; b++ {
			c[b] = true
		}
	}
	for b := 0x80; b < 256; b++ { // parts of characters
		c[b] = c[b] || re.Rune[len(re.Rune)-1] >= 0x80
	}
	return c
}
