package language

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// conditioned are expressions of every form that a pattern may have, with pieces of texts that come near to their matches.
var conditioned = []struct{ expression, pieces string }{
	{`(?i)\b(?:now|currently|at the moment|these days)\b`, "now|know|Now|NOW.|current|currently|at the|moment| |these days|these|days"},
	{`(?i)^\W*(?:why|how come)\b.*\bleft?\b`, "why|Why|how come|howcome| |?|lef|left|leftover|\n|x"},
	{`(?i)\b(?:did|had|was|were)\b.*\bbefore\W*$`, "did|had|was|before|before?|beforehand| |x|\n"},
	{`(?i)\bi(?:'m| am)\b|\bmy\b`, "I|i'm|I am|my|mine|amy| |'"},
	{`\d{4}-\d\d-\d\d`, "2026-01-02|2026-1-2|12|-|0"},
	{`(?i)kg\b|\bs\b`, "Kg|ſ|s|k|kg|kgs| |K"},
	{`(?i)[ſ]at`, "sat|at|Sat|ſat|s"},
	{`(?:ab?c|[xyz]d)e+f*`, "ac|abc|abbc|e|ee|f|xd|yd|wd"},
	{`a\Bbc|\Bd\b`, "a|bc|abc|d|ad| "},
	{`(?m)^to\b.*end$`, "to|end|the end|\n| |tone|ending"},
	{`(?s)é.*über|plain`, "é|über|plain|uber|e"},
	{`(?i)(?:a|bc|def|ghij)*tail`, "a|bc|def|tail|Tail|tai"},
	{`\$\s?[0-9]+(?:\.[0-9]{2})?\b`, "$|$ |12|.50|$ 12|x"},
	{`\b_x\b|a\W\Wb`, "_x|x|a|b|a--b|a-b| "},
}

func TestNoConditionHidesAMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, c := range conditioned {
		r, e := requiredOf(c.expression), regexp.MustCompile(c.expression)
		pieces := strings.Split(c.pieces, "|")
		hidden, matched := 0, 0
		for range 4000 {
			var text strings.Builder
			for range random.IntN(6) {
				text.WriteString(pieces[random.IntN(len(pieces))])
			}
			matches := e.MatchString(text.String())
			if matches {
				matched++
			}
			if r == nil || r.meets(text.String()) {
				continue
			}
			hidden++
			if matches {
				t.Fatalf("the condition of %s hides the match in %q", c.expression, text.String())
			}
		}
		if matched == 0 {
			t.Errorf("%s matches no text, want some", c.expression)
		}
		if r != nil && hidden == 0 {
			t.Errorf("the condition of %s is met by every text", c.expression)
		}
	}
}

func TestConditions(t *testing.T) {
	for expression, known := range map[string]bool{
		`(?i)\b(?:now|then)\b`: true,
		`(?i)\bi\b`:            true,
		`.*`:                   false,
		`[a-z]+`:               false,
		`(?:now|[a-z]+)x`:      false,
		`a.b`:                  false,
		`always .* never`:      true,
	} {
		if got := requiredOf(expression) != nil; got != known {
			t.Errorf("requiredOf(%s) is known: %t, want %t", expression, got, known)
		}
	}
}

func TestPatternAfterManyUses(t *testing.T) {
	p := NewPattern(`(?i)\b(?:moved|went) to (\w+)`)
	for range 2 * oftenUsed {
		if !p.MatchString("She MOVED to Oslo.") || p.MatchString("She stayed.") || p.FindString("We went to Rome") != "went to Rome" {
			t.Fatal("the pattern has another result once its condition is read")
		}
	}
	if got := p.ReplaceAllString("He stayed at home.", "x"); got != "He stayed at home." {
		t.Errorf("ReplaceAllString(…) = %q, want the text", got)
	}
	if got := p.FindStringSubmatch("He stayed at home."); got != nil {
		t.Errorf("FindStringSubmatch(…) = %q, want none", got)
	}
}

func FuzzCondition(f *testing.F) {
	for _, c := range conditioned {
		f.Add(c.expression, c.pieces)
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		e, err := regexp.Compile(expression)
		if err != nil {
			t.Skip()
		}
		if r := requiredOf(expression); r != nil && !r.meets(text) && e.MatchString(text) {
			t.Errorf("the condition of %s hides the match in %q", expression, text)
		}
	})
}
