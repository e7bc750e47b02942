package envelope

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// everydayResult is a result of an everyday tool, with the cuts that are asked of it.
type everydayResult struct {
	name, text string
	cuts       []everydayCut
}

// everydayCut is a cut and the parts that must be left behind it.
type everydayCut struct {
	tokens           int
	question         string
	needed, unwanted []string
}

// TestEverydayResults: the cut of a result of an everyday tool holds the parts that a reader needs, and says nothing false. The floors are the shares of this version.
func TestEverydayResults(t *testing.T) {
	for file, floor := range map[string]float64{"read.txt": 0.97, "frozen.txt": 0.88, "reports_read.txt": 0.97, "reports_frozen.txt": 0.93} {
		kept, all, whole, cuts := 0, 0, 0, 0
		for _, r := range readEveryday(t, file) {
			for _, c := range r.cuts {
				s, _ := service()
				s.Keeper = noKeeper{}
				_, out := wrapAffordable(t, s, withCall(Result{Value: quoted(r.text), MaxTokens: c.tokens, Bare: true, Question: c.question}))
				var missing []string
				for _, n := range c.needed {
					if all++; strings.Contains(out.Content, n) {
						kept++
						continue
					}
					missing = append(missing, n)
				}
				for _, n := range c.unwanted {
					if strings.Contains(out.Content, n) {
						missing = append(missing, "not "+n)
					}
				}
				if cuts++; len(missing) == 0 {
					whole++
				} else if os.Getenv("EVERYDAY") == file {
					t.Logf("%s (%s), %d tokens, %q: %q missing in\n%s", r.name, out.Kind, c.tokens, c.question, missing, out.Content)
				}
			}
		}
		t.Logf("%s: %d of %d needed parts kept, %d of %d cuts right", file, kept, all, whole, cuts)
		if share := float64(kept) / float64(all); share < floor {
			t.Errorf("%s: %.3f of what is needed is kept, want %.3f", file, share, floor)
		}
	}
}

// readEveryday reads a file of results, the form of which the first of them says.
func readEveryday(t *testing.T, file string) (list []everydayResult) {
	t.Helper()
	raw, err := os.ReadFile("testdata/everyday/" + file)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(raw), "\n-- ")
	for _, section := range strings.Split(body, "\n-- ") {
		name, text, _ := strings.Cut(section, " --\n")
		r := everydayResult{name: name}
		var out strings.Builder
		for line := range strings.Lines(text + "\n") {
			line = strings.TrimSuffix(line, "\n")
			cut, isCut := strings.CutPrefix(line, "> ")
			parts := strings.SplitN(cut, "|", 3)
			many, isMany := strings.CutPrefix(line, "×")
			switch {
			case isCut && out.Len() == 0 && len(parts) == 3:
				r.cuts = append(r.cuts, cutOf(t, parts))
			case isMany:
				times, form, _ := strings.Cut(many, " ")
				n, err := strconv.Atoi(times)
				if err != nil {
					out.WriteString(line + "\n")
					continue
				}
				for i := range n {
					out.WriteString(strings.ReplaceAll(filledForm(form, i), "⏎", "\n") + "\n")
				}
			default:
				out.WriteString(line + "\n")
			}
		}
		r.text = strings.TrimSuffix(out.String(), "\n")
		list = append(list, r)
	}
	return list
}

func cutOf(t *testing.T, parts []string) everydayCut {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(parts[0]))
	if err != nil {
		t.Fatal(err)
	}
	c := everydayCut{tokens: n, question: strings.TrimSpace(parts[1])}
	for _, needed := range strings.Split(strings.TrimSpace(parts[2]), "; ") {
		if unwanted, is := strings.CutPrefix(needed, "!"); is {
			c.unwanted = append(c.unwanted, unwanted)
			continue
		}
		c.needed = append(c.needed, needed)
	}
	return c
}

// filledForm fills the n-th line of a form.
func filledForm(form string, n int) string {
	mixed := (n*7919 + len(form)*104729) % 100_003
	return strings.NewReplacer("{n}", strconv.Itoa(n), "{r}", strconv.Itoa(mixed%900+11), "{h}", fmt.Sprintf("%08x", uint32(mixed*2654435761)),
		"{t}", fmt.Sprintf("%02d:%02d:%02d", n/3600%24, n/60%60, n%60), "{w}", []string{"amber", "birch", "cedar", "dune", "elm"}[n%5]).Replace(form)
}
