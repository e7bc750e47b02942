package language

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestLeadingWordsFindAsPatternsDo compares the search by leading words with the expression itself, on texts of pieces that come near to its matches.
func TestLeadingWordsFindAsPatternsDo(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for _, c := range append(conditioned, struct{ expression, pieces string }{
		`(?i)\b(before|once|to) (you )?(can )?(\w+ )?(end(ing)?|solv(e|ing))( with)? (the|my) (\w+ ){0,2}(task|job)|</?(user|system)>|\[inst\]`,
		"before |once |to |you |can |first |end|ending|solve| with| the| my| big| task| job|é|K|ſ|into |<user>|</system>|[INST]|\n",
	}, struct{ expression, pieces string }{
		`(?i)skip\s+(\w+\s+){0,2}(rules|checks)|(?m)^ask\b`, "skip|Skip |ſkip |SKIP\n|the |all |rules|checks|\nask|task |é| |ask",
	}) {
		l, e := leadingOf(c.expression), regexp.MustCompile(c.expression)
		if l == nil {
			continue
		}
		pieces := strings.Split(c.pieces, "|")
		matched := 0
		for range 6000 {
			var text strings.Builder
			for range random.IntN(9) {
				text.WriteString(pieces[random.IntN(len(pieces))])
			}
			is, known := l.matches(text.String())
			want := e.MatchString(text.String())
			if known && is != want {
				t.Fatalf("by its leading words %s matches %q: %t, want %t", c.expression, text.String(), is, want)
			}
			if want && known {
				matched++
			}
		}
		if matched == 0 {
			t.Errorf("%s matches no text, want some", c.expression)
		}
	}
}

func TestLeadingWords(t *testing.T) {
	for expression, known := range map[string]bool{
		`(?i)\b(?:now|then)\b`:   true,
		`(?:no|ne)ver .*`:        true,
		`(?i)\bs\b`:              false,
		`(?:now|[a-z]+)x`:        false,
		`^\s*now`:                false,
		`^now`:                   false,
		`(?:^|[.!?]\s*)now`:      false,
		`(?i)</?(?:user|admin)>`: true,
		`é.*now`:                 false,
	} {
		if got := leadingOf(expression) != nil; got != known {
			t.Errorf("leadingOf(%s) is known: %t, want %t", expression, got, known)
		}
	}
}

// A text with a place for an endless match at each word is searched in one pass: trying them all would take the square of its length.
func TestManyPlaces(t *testing.T) {
	l := leadingOf(`(?i)\bbefore\b[^.]*\bwere|\bwere\b[^.]*\bbefore`)
	if l == nil || l.reach != endless {
		t.Fatal("the beginnings are not known, or the reach is bounded")
	}
	if _, known := l.matches(strings.Repeat("were ", 1000)); known {
		t.Error("all places were tried")
	}
	if is, known := l.matches(strings.Repeat("now ", 1000) + "before they were"); !is || !known {
		t.Errorf("one place: a match is %t, known %t", is, known)
	}
	if l := leadingOf(`(?i)\b(now|then) (\w )?(go|leave)\b`); l == nil || l.reach >= longText {
		t.Error("a bounded match has no bounded reach")
	} else if _, known := l.matches(strings.Repeat("now ", 1000)); known != (l.reach <= mostTried*len("now ")) {
		t.Errorf("bounded places: known %t", known)
	}
}

func TestLongTextAfterManyUses(t *testing.T) {
	p := NewPattern(`(?i)\b(?:moved|went) to (\w+)`)
	filling := strings.Repeat("It rained — again. ", longText/8)
	for range 2 * oftenUsed {
		if !p.MatchString(filling+"She MOVED to Oslo. "+filling) || p.MatchString(filling+"She removed to."+filling) {
			t.Fatal("the pattern has another result once its leading words are read")
		}
	}
}
