package entities

import (
	"regexp"
	"strings"
	"testing"
)

var bracketed = regexp.MustCompile(`\[([^\]]+)\]`)

// TestDeclarations: each way to say that two names are of one thing is found in its samples.
func TestDeclarations(t *testing.T) {
	for _, d := range declarations {
		if len(d.samples) == 0 {
			t.Errorf("%s has no samples", d.name)
		}
		for _, sample := range d.samples {
			if !joinsBoth(t, sample) {
				t.Errorf("%s: the names in %q are not held for one", d.name, sample)
			}
		}
	}
}

// joinsBoth reports whether the two names in brackets are found and held for one.
func joinsBoth(t *testing.T, sample string) bool {
	t.Helper()
	names := bracketed.FindAllStringSubmatch(sample, -1)
	if len(names) != 2 {
		t.Fatalf("%q has %d names in brackets", sample, len(names))
	}
	place := map[string]int{}
	for _, m := range Extract(bracketed.ReplaceAllString(sample, "$1")) {
		place[strings.TrimSuffix(m.Text, ".")] = m.Same + 1
	}
	a, b := place[names[0][1]], place[names[1][1]]
	return a > 0 && a == b
}

// TestNothingDeclared: names that only stand beside each other, or of which one took the place of the other, are of two things.
func TestNothingDeclared(t *testing.T) {
	for _, sample := range []string{
		"[Ann Lee], formerly of [Initech], joined.", "[Ann Lee], formerly at [Initech Labs], joined.", "[Ann Lee] and [Bea Fox] met.", "[Ann Lee], [Bea Fox] and others met.",
		"We use [PostgreSQL] (formerly [MySQL]).", "The office is in [Bonn] (formerly [Kiel]).", "[Ann Lee] replaced [Bea Fox].", "[Ann Lee] (not [Bea Fox]) decides.",
		"[Ann Lee], [bea.fox@acme.example], answers.", "[Ann Lee] asked [ann.leeds@acme.example].",
		"[Robert Fuller] knows [Bobcat].", "[Ann Lee] is called by [Bea Fox].", "Our supplier is [Initech], formerly [Initrode].", "[Ann Lee], in short supply with [Bea Fox], left.",
	} {
		if joinsBoth(t, sample) {
			t.Errorf("the names in %q are held for one", sample)
		}
	}
}

// TestCompanies: forms of companies are no part of what a company is called, and tell two of one name apart.
func TestCompanies(t *testing.T) {
	for _, tt := range []struct{ a, b, by string }{
		{"Globex Corp.", "Globex Corporation", "company"}, {"Globex Inc", "Globex Incorporated", "company"}, {"Acme Ltd.", "Acme Limited", "company"},
		{"Danone S.A.", "Danone SA", "company"}, {"Umbrella GmbH & Co. KG", "Umbrella GmbH & Co KG", "identical"},
		{"Globex Corporation", "Globex", "generic"}, {"Umbrella GmbH & Co. KG", "Umbrella", "generic"}, {"Danone S.A.", "Danone", "generic"},
		{"International Business Machines Corp.", "International Business Machines", "generic"},
		{"Globex Inc.", "Globex GmbH", "other company"}, {"Acme Ltd", "Acme Corp", "other company"},
		{"Globex Inc.", "Initech Inc.", ""}, {"Globex 1 Inc.", "Globex 2 Inc.", ""},
	} {
		name := func(text string) named { return newNamed(Proper, Organization, KeyOf(Proper, text)) }
		if _, by := compare(name(tt.a), name(tt.b)); by != tt.by {
			t.Errorf("%q and %q are alike by %q, want %q", tt.a, tt.b, by, tt.by)
		}
		if _, by := compare(name(tt.b), name(tt.a)); by != tt.by {
			t.Errorf("%q and %q are alike by %q, want %q", tt.b, tt.a, by, tt.by)
		}
	}
	for _, tt := range []struct{ text, name string }{
		{"We pay Danone S.A. in May.", "Danone S.A"}, {"We pay Acme Ltd. in May.", "Acme Ltd."}, {"Umbrella B.V. pays.", "Umbrella B.V"},
	} {
		if m := Extract(tt.text); len(m) != 1 || m[0].Text != tt.name || m[0].Kind != Organization {
			t.Errorf("in %q there is %+v, want the organization %q", tt.text, m, tt.name)
		}
	}
}
