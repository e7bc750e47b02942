package envelope

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// TestEverySentenceIsTrue: whatever the result, the budget and the question, each sentence that the envelope adds is true of the source.
func TestEverySentenceIsTrue(t *testing.T) {
	for seed := range uint64(rounds.Of(25, 100)) {
		r := rand.New(rand.NewPCG(seed, 7))
		s, _ := service()
		s.Redact = redact.Nothing // the source is what is shown
		text := randomResult(r)
		in := Result{Value: quoted(text), MaxTokens: 80 + r.IntN(900), Bare: true}
		if r.IntN(2) == 0 {
			in.Question = []string{
				"Which " + names[r.IntN(len(names))] + " took more than " + strconv.Itoa(r.IntN(900)) + " ms, and why did it fail?",
				"How many " + names[r.IntN(len(names))] + " are there?",
				"How many took " + strconv.Itoa(r.IntN(9)) + " ms and are " + names[r.IntN(len(names))] + "?",
				"How many are not " + names[r.IntN(len(names))] + "?",
			}[r.IntN(4)]
		}
		in, out := wrapAffordable(t, s, withCall(in))
		if !out.Truncated {
			continue
		}
		var err error
		if strings.HasPrefix(out.Kind, "json_") {
			err = trueOfJSON(out.Content, text)
		} else {
			err = trueOfLines(out.Content, text)
		}
		if err != nil {
			t.Errorf("seed %d, %s of %d tokens, question %q: %v\n%s", seed, out.Kind, in.MaxTokens, in.Question, err, out.Content)
		}
	}
}

func withCall(in Result) Result {
	in.CallID, in.Tool = "c", "t"
	return in
}

// randomResult returns a log, a table, a tree, prose or a listing, of random length.
func randomResult(r *rand.Rand) string {
	word := func() string { return names[r.IntN(len(names))] }
	var forms []func() string
	add := func(f ...func() string) { forms = append(forms, f...) }
	switch r.IntN(7) {
	case 6:
		return wideTableOf(r)
	case 0:
		add(func() string {
			return fmt.Sprintf("2026-01-02 03:%02d:%02d INFO %s took %d ms", r.IntN(60), r.IntN(60), word(), r.IntN(400))
		},
			func() string { return "2026-01-02 03:04:05 INFO idle" },
			func() string {
				return fmt.Sprintf("2026-01-02 03:04:05 ERROR pay failed amount=%d.%02d id=%x", r.IntN(3), r.IntN(9), r.IntN(70000))
			},
			func() string {
				return fmt.Sprintf("2026-01-02 03:04:05 WARN %s retried, took -%d ms", word(), r.IntN(9))
			})
	case 1:
		rows := "name,colour,sold,share\n"
		for range 20 + r.IntN(300) {
			rows += fmt.Sprintf("%s-%d,%s,%d,%.1f%%\n", word(), r.IntN(99), word(), r.IntN(500), r.Float64()*10)
		}
		return rows
	case 2:
		return string(randomTree(r, 3))
	case 3:
		var lines []string
		for range 20 + r.IntN(200) {
			raw, _ := json.Marshal(map[string]any{"id": r.IntN(900), "who": word(), "took_ms": r.IntN(900), "error": []any{nil, "timeout"}[r.IntN(2)]})
			lines = append(lines, string(raw))
		}
		return strings.Join(lines, "\n")
	case 4:
		add(func() string { return strings.Repeat(word()+" and "+word()+" ", 1+r.IntN(30)) + "." }, func() string { return "" },
			func() string { return "## About " + word() }, func() string { return strings.Repeat("é", r.IntN(900)) })
	default:
		add(func() string {
			return fmt.Sprintf("diff --git a/%[1]s.go b/%[1]s.go\n--- a/%[1]s.go\n+++ b/%[1]s.go\n@@ -1,2 +1,2 @@\n same\n-old %[2]d\n+new %[2]d", word(), r.IntN(9))
		})
	}
	var lines []string
	for range 20 + r.IntN(400) {
		lines = append(lines, forms[r.IntN(len(forms))]())
	}
	return strings.Join(lines, "\n") + "\n"
}

// randomTree returns the JSON of a random value.
func randomTree(r *rand.Rand, depth int) json.RawMessage {
	value := func() any { return randomTree(r, depth-1) }
	var v any
	switch n := r.IntN(10); {
	case depth == 3 || depth > 0 && n < 4:
		list := []any{}
		for range r.IntN(12) + depth*2 {
			list = append(list, value())
		}
		v = list
	case depth > 0 && n < 8:
		object := map[string]any{}
		for i := range r.IntN(9) {
			object[fmt.Sprintf("%s %d", names[r.IntN(len(names))], i)] = value()
		}
		v = object
	case n < 9:
		v = strings.Repeat(names[r.IntN(len(names))]+" ", r.IntN(120))
	default:
		v = r.IntN(100_000)
	}
	raw, _ := json.Marshal(v)
	return raw
}

var (
	gapSaid     = regexp.MustCompile(`^… (?:(\d+) of )?(?:line |lines )?(\d+)(?:-(\d+))?(?: left out)?(?: \((?:(\d+) files? begun, )?\+(\d+) -(\d+)\))?$`)
	shownSaid   = regexp.MustCompile(`^… (\d+) of (\d+) lines shown(?:, (\d+) folded)?(; the whole: get_artifact artifact_id=\S+ \(lines, pattern, path\))?$`)
	charsSaid   = regexp.MustCompile(`(?m)^… (\d+) of (\d+) characters left out`)
	foldSaid    = regexp.MustCompile(`^(.*) \(×(\d+)( lines)?\)$`)
	bytesSaid   = regexp.MustCompile(`^(?:\((\d+) bytes\+\) …)?(.*?)(?:… \(\+(\d+) bytes\))?$`)
	membersOut  = regexp.MustCompile(`^(\d+) of (\d+) members$`)
	elementOut  = regexp.MustCompile(`^(?:… )?(\d+) of (\d+) left out \((\$.*)\[(\d+):(\d+)\]\)$`)
	columnsSaid = regexp.MustCompile(`(?m)^… (\d+) of (\d+) columns shown: ([\d, -]+)$`)
	depthOut    = regexp.MustCompile(`^(?:… )?(\d+) left out \((\$.*)\)$`)
)

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// trueOfLines checks the lines of an outcome against the lines of the source.
func trueOfLines(outcome, source string) error {
	if m := charsSaid.FindStringSubmatch(outcome); m != nil {
		shown := utf8.RuneCountInString(strings.TrimSuffix(outcome[:charsSaid.FindStringIndex(outcome)[0]], "\n"))
		if total := utf8.RuneCountInString(source); number(m[2]) != total || number(m[1]) != total-shown {
			return fmt.Errorf("%d characters of %d are left out, and it says %s of %s", total-shown, total, m[1], m[2])
		}
		return nil
	}
	lines, err := columnsAlone(outcome, strings.Split(strings.TrimSuffix(source, "\n"), "\n"))
	if err != nil {
		return err
	}
	at, shown, told := 0, 0, 0
	own := map[int]bool{}  // lines that stand there by themselves
	left := map[int]bool{} // lines that are said to be left out
	var folds []func() error
	var forms []string // of the lines that a fold has told of
	tells := func(line string) bool {
		return strings.TrimSpace(line) != "" && (slices.Contains(forms, formInLog(line)) || slices.Contains(forms, "="+line))
	}
	said := strings.Split(outcome, "\n")
	for i, l := range said {
		if m := shownSaid.FindStringSubmatch(l); m != nil && i == len(said)-1 {
			for _, check := range folds {
				if err := check(); err != nil {
					return err
				}
			}
			if number(m[1]) != shown || number(m[2]) != len(lines) || number(m[3]) != told {
				return fmt.Errorf("%d of %d lines are shown, and %d folded: %q", shown, len(lines), told, l)
			}
			for i, line := range lines {
				if strings.TrimSpace(line) != "" && !own[i] && !left[i] && !tells(line) {
					return fmt.Errorf("line %d is neither shown nor folded, and is not said to be left out: %q", i+1, line)
				}
			}
			return nil
		}
		if columnsSaid.MatchString(l) {
			continue
		}
		if countSaid.MatchString(l) {
			if err := trueOfCount(strings.TrimPrefix(l, "… "), strings.Split(strings.TrimSuffix(source, "\n"), "\n")); err != nil {
				return err
			}
			continue
		}
		if m := gapSaid.FindStringSubmatch(l); m != nil {
			from, to := number(m[2]), max(number(m[2]), number(m[3]))
			for at < len(lines) && at+1 < from && (strings.TrimSpace(lines[at]) == "" || tells(lines[at])) {
				at++
			}
			if from != at+1 || to > len(lines) {
				return fmt.Errorf("line %d is next: %q", at+1, l)
			}
			if m[5] != "" && changesIn(lines[at:to]) == "" {
				return fmt.Errorf("no change is left out: %q", l)
			}
			missing := 0
			for ; at < to; at++ {
				if !tells(lines[at]) {
					missing++
					left[at] = true
				}
			}
			if said := cmp.Or(number(m[1]), to-from+1); missing != said {
				return fmt.Errorf("%d of %d lines are left out, the others folded: %q", missing, to-from+1, l)
			}
			continue
		}
		if l == "" { // a blank line stands for several
			continue
		}
		for at < len(lines) && (strings.TrimSpace(lines[at]) == "" || tells(lines[at]) && trueOfLine(l, lines[at]) != nil) {
			at++
		}
		if at >= len(lines) {
			return fmt.Errorf("there is no line %d: %q", at+1, l)
		}
		if m := foldSaid.FindStringSubmatch(l); m != nil && l != lines[at] && !strings.HasPrefix(lines[at], l) {
			first := lines[at]
			folds = append(folds, func() error { return trueOfFold(m, first, lines, own) })
			told += number(m[2])
			if forms = append(forms, formInLog(first)); m[3] == "" {
				forms[len(forms)-1] = "=" + first
			}
			at++
			continue
		}
		if err := trueOfLine(l, lines[at]); err != nil {
			return fmt.Errorf("line %d: %w", at+1, err)
		}
		own[at] = true
		at++
		shown++
	}
	return fmt.Errorf("it does not say how much is shown")
}

// trueOfFold checks what is told of several lines: it counts those of its form that do not stand there by themselves, and tells of each.
func trueOfFold(m []string, line string, lines []string, own map[int]bool) error {
	count := 0
	for i, l := range lines {
		if own[i] || !(m[3] == "" && l == line || m[3] != "" && formInLog(l) == formInLog(line)) {
			continue
		}
		if m[3] != "" {
			if err := coveredBy(m[1], l); err != nil {
				return err
			}
		}
		count++
	}
	if count != number(m[2]) {
		return fmt.Errorf("%d lines, and it says %q", count, m[0])
	}
	return nil
}

// trueOfLine checks what is shown of a line.
func trueOfLine(said, line string) error {
	if said == line {
		return nil
	}
	m := bytesSaid.FindStringSubmatch(said)
	if m == nil || number(m[1])+len(m[2])+number(m[3]) != len(line) || !strings.HasPrefix(line[number(m[1]):], m[2]) {
		return fmt.Errorf("%q is said of %q", said, line)
	}
	return nil
}

// coveredBy checks that a line is one of those that a fold tells of: each of its tokens is named, or within the range.
func coveredBy(told, line string) error {
	if strings.Contains(told, "bytes)") {
		return nil
	}
	values := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(apart, r) })
	forms := strings.FieldsFunc(strings.ReplaceAll(told, "|", "\x00"), func(r rune) bool { return strings.ContainsRune(apart, r) })
	if len(values) != len(forms) {
		return fmt.Errorf("%d tokens, told as %d", len(values), len(forms))
	}
	for i, form := range forms {
		named := strings.Split(form, "\x00")
		least, most, ranged := strings.Cut(form, "..")
		low, _ := quantityOf(least).compare(quantityOf(values[i]))
		high, _ := quantityOf(values[i]).compare(quantityOf(most))
		switch {
		case ranged && low <= 0 && high <= 0:
		case named[len(named)-1] == "…":
		default:
			found := false
			for _, n := range named {
				found = found || n == values[i]
			}
			if !found {
				return fmt.Errorf("%q is not among %q", values[i], form)
			}
		}
	}
	return nil
}

// TestLayoutsAreCounted: of a text that is laid out anew, what is shown and what is left out are all of it.
func TestLayoutsAreCounted(t *testing.T) {
	shownOf := regexp.MustCompile(`^… (\d+) of (\d+) (line|element|part)s shown(?:, (\d+) folded)?$`)
	manySaid := regexp.MustCompile(`\(×\d+(?: \pL+)?\)$`)
	missing := regexp.MustCompile(`^… (\d+) (?:line|element|part)s? left out$`)
	for name, tt := range map[string]struct {
		text, question string
		lay            func(*watch, string) string
	}{
		"page":     {"<!DOCTYPE html><html><body>" + filler(300, "<p>The %c and the %c since %b.</p><p>Same again.</p>") + "<h2>Keys</h2><p>They hang by the door.</p></body></html>", "Where are the keys?", textOfHTML},
		"elements": {"<list>" + strings.ReplaceAll(filler(300, `<item id="%a"><name>%c</name><n>%b</n></item>`), "\n", "") + "<item id=\"x\"><name>door</name><n>lost</n></item></list>", "What of the door?", elementsOf},
		"prose":    {strings.ReplaceAll(filler(200, "The %c was seen near the %c by %b people who said nothing."), "\n", " ") + "The keys hang by the door.", "Where are the keys?", sentencesOf},
	} {
		for _, most := range []int{90, 200, 700} {
			s, _ := service()
			s.Keeper = noKeeper{}
			out := wrap(t, s, Result{Value: quoted(tt.text), MaxTokens: most, Bare: true, Question: tt.question})
			total := strings.Count(strings.TrimSuffix(tt.lay(watching(t.Context()), tt.text), "\n"), "\n") + 1
			lines, left, folds := strings.Split(out.Content, "\n"), 0, 0
			shown := len(lines) - 1
			for _, l := range lines {
				if manySaid.MatchString(l) {
					folds++
				}
				if m := missing.FindStringSubmatch(l); m != nil {
					left, shown = left+number(m[1]), shown-1
				}
			}
			m := shownOf.FindStringSubmatch(lines[len(lines)-1])
			if m == nil || number(m[1]) != shown-folds || number(m[2]) != total || shown-folds+number(m[4])+left != total || (folds > 0) != (number(m[4]) > 0) {
				t.Errorf("%s of %d tokens: %d shown and %d left out of %d, in\n%s", name, most, shown, left, total, out.Content)
			}
		}
	}
}

// noKeeper keeps nothing, so that nothing is said of how to get the rest.
type noKeeper struct{}

func (noKeeper) Ready(context.Context, ctxmcp.Caller, ctxmcp.Scope, artifacts.Draft, artifacts.Original) (artifacts.Pending, error) {
	return artifacts.Pending{}, nil
}

// formInLog returns the common part of lines of a log that are shown once.
func formInLog(line string) string { return string(sameInLog(nil, line)) }
