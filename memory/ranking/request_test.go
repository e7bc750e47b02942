package ranking

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

var friday = time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)

// TestRequests: what a question wants is told by its words, and a question for one thing wants nothing else.
func TestRequests(t *testing.T) {
	const brief, about, list, forget = "brief", "about", "list", "forget"
	tests := []struct {
		text, want string
		topic      string
	}{
		{"What do you know about me?", brief + " " + about, ""},
		{"conventions", brief, ""},
		{"project conventions and decisions", brief, ""},
		{"Who am I?", brief + " " + about, "who am i"},
		{"I am about to change the parser. What should I keep in mind?", brief, "chang parser"},
		{"start of task: write the importer", brief, "write"},
		{"Which decisions did we take in October?", list, "take octob"},
		{"List all the rules for releases", list, "list releas"},
		{"forget my address", forget, "address"},
		{"Could you please delete the note on the boiler?", forget, "boiler"},
		{"Where did I leave my keys?", "", "leav key"},
		{"What is the name of our landlord?", "", "name landlord"},
		{"Where do I work?", "", ""},
		{"coding style", brief, ""},
		{"what did the coach say about our team?", "", ""},
		{"I am leaving for Oslo tomorrow. What do I need to know?", brief, "leav oslo tomorrow"},
		{"What must I pay attention to when I paint the shed?", brief, "paint shed"},
		{"Before we publish the calendar: any legal rule?", brief, "publish calendar"},
		{"Where did I live before we moved?", "", ""},
		{"I'm about to replace the pump", brief, "replac pump"},
		{"I'm going to Oslo, what is my passport number?", "", ""},
		{"What do you know about our choir?", brief + " " + about, "choir"},
		{"What should we know about this workshop?", brief + " " + about, ""},
		{"tell me about this project", brief + " " + about, ""},
		{"When is practice?", "", ""},
		{"Where is the briefing?", "", ""},
		{"Who leads practice on Mondays?", "", ""},
		{"How long is the recap?", "", ""},
		{"When's practice?", "", ""},
		{"Which day is the basics course?", "", ""},
		{"Where are the guidelines?", "", ""},
		{"How much is practice?", "", ""},
		{"Who wrote the rules?", "", ""},
		{"What are the rules?", brief, ""},
		{"What practices do we have?", brief, ""},
		{"practices", brief, ""},
	}
	for _, tt := range tests {
		r := Read(tt.text, friday).Request
		var got []string
		for _, f := range []struct {
			name string
			is   bool
		}{{brief, r.Brief}, {about, r.About}, {list, r.List}, {forget, r.Forget}} {
			if f.is {
				got = append(got, f.name)
			}
		}
		if topic := strings.Join(r.Topic, " "); topic != tt.topic && len(got) > 0 {
			t.Errorf("the topic of %q is %q, want %q", tt.text, topic, tt.topic)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q asks for %q, want %q (topic %q)", tt.text, got, tt.want, r.Topic)
		}
	}
}

// TestNamedTypes: a brief or a list may be of one type of objects.
func TestNamedTypes(t *testing.T) {
	tests := []struct {
		text string
		want []ctxmcp.ObjectType
	}{
		{"List all decisions", []ctxmcp.ObjectType{ctxmcp.ProjectDecision}},
		{"everything that is forbidden here", []ctxmcp.ObjectType{ctxmcp.ActionableConstraint}},
		{"What is our decision about the colour?", nil},
	}
	for _, tt := range tests {
		if got := Read(tt.text, friday).Request.Types; !slices.Equal(got, tt.want) {
			t.Errorf("%q asks for %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestSpans: the samples of the forms read as they say, and a text without a time names none.
func TestSpans(t *testing.T) {
	for _, f := range toldForms {
		text, want, _ := strings.Cut(f.sample, " => ")
		i := toldIn(text, friday)
		if got := i.From.Format(time.DateOnly) + ", " + i.To.Format(time.DateOnly); got != want {
			t.Errorf("%s: %q names %s, want %s", f.doc, text, got, want)
		}
	}
	for text, want := range map[string]string{
		"what was decided before March?": "0001-01-01, 2026-03-01",
		"which bills came in December?":  "2025-12-01, 2026-01-01",
		"the last 3 months":              "2026-08-20, 2026-11-21",
		"last quarter":                   "2026-08-20, 2026-11-21",
		"next year":                      "2027-01-01, 2028-01-01",
		"this quarter":                   "2026-10-01, 2027-01-01",
		"tomorrow":                       "2026-11-21, 2026-11-22",
		"today":                          "2026-11-20, 2026-11-21",
		"the last fortnight":             "2026-11-06, 2026-11-21",
		"the last few days":              "2026-11-17, 2026-11-21",
		"past 2 years":                   "2024-11-20, 2026-11-21",
	} {
		i := toldIn(text, friday)
		if got := i.From.Format(time.DateOnly) + ", " + i.To.Format(time.DateOnly); got != want {
			t.Errorf("%q names %s, want %s", text, got, want)
		}
	}
	if got := toldIn("where do I live?", friday); got != (ctxmcp.Interval{}) {
		t.Errorf("a question without a time names %v", got)
	}
}
