package envelope

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

var (
	groupsSaid = regexp.MustCompile(`(?m)(\d+)(?: of (\d+))? (?:lines below the head|elements of \$\S*|records)(?: have ([^,]*))?, by \\?"([a-z.]+)\\?": ([a-z0-9 ,]+)`)
	oneGroup   = regexp.MustCompile(`^([a-z0-9]+) (\d+)$`)
)

// job is a record of a random world.
type job struct{ region, status, team string }

// randomJobs returns jobs of few regions, statuses and teams.
func randomJobs(r *rand.Rand) []job {
	all := make([]job, 70+r.IntN(80))
	for i := range all {
		all[i] = job{[]string{"eu", "us", "ap", "sa"}[r.IntN(4)], []string{"failed", "done", "queued"}[r.IntN(3)], []string{"red", "blue"}[r.IntN(2)]}
	}
	return all
}

// forms write jobs as a table, an array and a list within an object.
var jobForms = map[string]func([]job) string{
	"csv": func(all []job) string {
		var b strings.Builder
		b.WriteString("id,region,status,team\n")
		for i, j := range all {
			fmt.Fprintf(&b, "%d,%s,%s,%s\n", i, j.region, j.status, j.team)
		}
		return b.String()
	},
	"json": func(all []job) string {
		var b strings.Builder
		for i, j := range all {
			fmt.Fprintf(&b, `,{"id":%d,"at":{"region":%q},"state":{"status":%q,"team":%q}}`, i, j.region, j.status, j.team)
		}
		return `{"items":[` + b.String()[1:] + "]}"
	},
}

// TestGroupsAreCounted: a question for the number of each of some groups is answered with those numbers, and each is right.
func TestGroupsAreCounted(t *testing.T) {
	for seed := range uint64(rounds.Of(20, 200)) {
		r := rand.New(rand.NewPCG(seed, 5))
		all := randomJobs(r)
		for question, has := range map[string]func(job) bool{
			"How many jobs failed per region?":                         func(j job) bool { return j.status == "failed" },
			"how many are failed in each region":                       func(j job) bool { return j.status == "failed" },
			"How many jobs are there in each region?":                  func(job) bool { return true },
			"How many jobs of the red team are queued in each region?": func(j job) bool { return j.status == "queued" && j.team == "red" },
		} {
			for form, write := range jobForms {
				s, _ := service()
				out := wrap(t, s, Result{Value: quoted(write(all)), MaxTokens: 250, Question: question}).Content
				m := groupsSaid.FindStringSubmatch(out)
				if m == nil {
					t.Fatalf("seed %d, %s of %s: no groups in\n%s", seed, question, form, out)
				}
				want, total := map[string]int{}, 0
				for _, j := range all {
					if has(j) {
						want[j.region]++
						total++
					}
				}
				if got, _ := strconv.Atoi(m[1]); got != total || m[2] != "" && m[2] != strconv.Itoa(len(all)) || !strings.HasSuffix(m[4], "region") {
					t.Errorf("seed %d, %s of %s: %q of %d, want %d", seed, question, form, m[0], len(all), total)
				}
				for _, g := range strings.Split(m[5], ", ") {
					one := oneGroup.FindStringSubmatch(g)
					if one == nil || strconv.Itoa(want[one[1]]) != one[2] {
						t.Errorf("seed %d, %s of %s: %q, want %v", seed, question, form, g, want)
					} else {
						delete(want, one[1])
					}
				}
				if len(want) > 0 {
					t.Errorf("seed %d, %s of %s: %v are not told", seed, question, form, want)
				}
			}
		}
	}
}

// TestUnsureGroupsAreNotCounted: where it is not sure what a question counts, no number of groups is told.
func TestUnsureGroupsAreNotCounted(t *testing.T) {
	rows := "id,region,status\n" + repeated(20, "1%,eu,done\n") + repeated(9, "2%,us,failed\n")
	many := "id,region,status\n"
	for i := range 40 {
		many += fmt.Sprintf("%d,region%d,done\n", i, i)
	}
	cities, titles, tree := "id,city,status\n", "id,title,status\n", ""
	for i := range 70 {
		city := []string{"Paris", "Rome", "Oslo", "Bern", "Riga", "Lima", "Cairo", "Delhi", "Quito", "Porto", "Lyon", "Turin", "Gent", "San Remo"}[i%14]
		status := []string{"open", "paid"}[i%2]
		cities += fmt.Sprintf("%d,%s,%s\n", i, city, status)
		titles += fmt.Sprintf("%d,letter %d to %s,%s\n", i, i, city, status)
		tree += fmt.Sprintf(`,{"id":%d,"to":{"city":%q},"status":%q}`, i, city, status)
	}
	s, _ := service()
	if out := wrap(t, s, Result{Value: quoted(titles), MaxTokens: 150, Question: "How many letters are there per status?"}).Content; groupsSaid.FindString(out) == "" {
		t.Errorf("a word that every record has keeps the groups from being counted:\n%s", out)
	}
	for name, c := range map[string]struct{ text, question string }{
		"a value of many":       {cities, "How many orders from Paris are there per status?"},
		"a word of a value":     {cities, "How many orders from Remo are there per status?"},
		"a word of a title":     {titles, "How many letters to Oslo are there per status?"},
		"a value of many, tree": {`{"orders":[` + tree[1:] + "]}", "How many orders from Paris are there per status?"},
		"two values":            {rows, "How many are done or failed per region?"},
		"a denied one":          {rows, "How many are not failed per region?"},
		"no such field":         {rows, "How many failed per owner?"},
		"no number":             {rows, "Which failed per region?"},
		"too many groups":       {many, "How many are there per region?"},
		"a row of other length": {rows + "a,b\n", "How many failed per region?"},
		"no value in a record":  {`{"items":[` + strings.Repeat(`{"region":"eu","n":1},`, 30) + strings.Repeat(`{"region":"us","n":1},`, 30) + `{"n":2}]}`, "How many are there per region?"},
	} {
		s, _ := service()
		out := wrap(t, s, Result{Value: quoted(c.text), MaxTokens: 150, Question: c.question}).Content
		if m := groupsSaid.FindString(out); m != "" {
			t.Errorf("%s: %q is told", name, m)
		}
	}
	var shown any
	s, _ = service()
	out := wrap(t, s, Result{Value: quoted(jobForms["json"](randomJobs(rand.New(rand.NewPCG(1, 1))))), MaxTokens: 250, Question: "How many failed per region?", Bare: true}).Content
	if err := json.Unmarshal([]byte(out), &shown); err != nil {
		t.Errorf("a tree with groups is no JSON: %v\n%s", err, out)
	}
}
