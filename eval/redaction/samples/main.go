// Command samples measures redaction, with the table of vendors, on the samples that the authors of other scanners
// keep beside their rules: how many samples that a rule has to find are left, and how many that it has to leave are
// changed.
//
// The second says less than it seems: a sample that one rule has to leave is often a secret to another, or a token of another length.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/redact/rules"
)

func main() {
	log.SetFlags(0)
	name := flag.String("name", "", "whose samples they are")
	samples := flag.String("samples", "", "samples, JSON Lines")
	changed := flag.String("changed", "", "file for what leaked and what was changed, JSON Lines")
	most := flag.Int("most", 12, "samples of a sort that count for each rule, since most are one secret in many frames")
	flag.Parse()
	if err := measure(*name, *samples, *changed, *most); err != nil {
		log.Fatal("eval samples: ", err)
	}
}

// sample is a text that a rule has to find, or to leave.
type sample struct {
	Rule   string `json:"rule"`
	Regex  string `json:"regex"`
	Group  int    `json:"group"`
	Text   string `json:"text"`
	Secret bool   `json:"secret"`
	After  string `json:"after,omitempty"` // the text after redaction
}

func measure(name, from, to string, most int) error {
	list, err := read(from)
	if err != nil {
		return err
	}
	list = choose(list, most)
	redactor, err := withVendors()
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	wrong := json.NewEncoder(f)
	wrong.SetEscapeHTML(false)
	total, bad := map[bool]int{}, map[bool]int{}
	for _, s := range list {
		total[s.Secret]++
		s.After, _ = redactor.Text(s.Text)
		if s.Secret != s.left() {
			continue
		}
		bad[s.Secret]++
		if err := wrong.Encode(s); err != nil {
			return err
		}
	}
	fmt.Printf("%s: of %d secrets %d leak (%.1f %%); of %d that its rules leave %d are changed (%.1f %%)\n", name,
		total[true], bad[true], percent(bad[true], total[true]), total[false], bad[false], percent(bad[false], total[false]))
	return f.Close()
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

func read(path string) ([]sample, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []sample
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var s sample
		if err := d.Decode(&s); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, s)
	}
}

// choose returns the first samples of each rule by their text, each once. It leaves out those of files by their name alone.
func choose(all []sample, most int) []sample {
	all = slices.DeleteFunc(all, func(s sample) bool { return s.Text == "" })
	slices.SortFunc(all, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text), cmp.Compare(fmt.Sprint(a.Secret), fmt.Sprint(b.Secret)))
	})
	all = slices.Compact(all)
	type sort struct {
		rule   string
		secret bool
	}
	seen := map[sort]int{}
	return slices.DeleteFunc(all, func(s sample) bool {
		seen[sort{s.Rule, s.Secret}]++
		return seen[sort{s.Rule, s.Secret}] > most
	})
}

func withVendors() (*redact.Redactor, error) {
	list, err := rules.Vendors()
	if err != nil {
		return nil, err
	}
	return redact.New([]byte("key")).With(list...)
}

// left reports whether the secret, by the rule's own expression, is still there; where the expression finds none,
// because the text is encoded, whether the text is the same.
func (s *sample) left() bool {
	secret := s.secret()
	if !s.Secret || secret == "" {
		return s.After == s.Text
	}
	return strings.Contains(s.After, secret)
}

// secret returns the longest text that the rule would report.
func (s *sample) secret() string {
	expression, err := regexp.Compile(s.Regex)
	if err != nil || s.Regex == "" {
		return ""
	}
	longest := ""
	for _, m := range expression.FindAllStringSubmatch(s.Text, -1) {
		found := m[0]
		switch {
		case s.Group > 0 && s.Group < len(m):
			found = m[s.Group]
		case s.Group == 0:
			if g := slices.IndexFunc(m[1:], func(g string) bool { return g != "" }); g >= 0 {
				found = m[1+g]
			}
		}
		if len(found) > len(longest) {
			longest = found
		}
	}
	return longest
}
