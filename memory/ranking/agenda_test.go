package ranking

import (
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// TestAgendas: a question for an agenda names a time that has not ended; one with a topic, or about the past, asks for none.
func TestAgendas(t *testing.T) {
	for text, want := range map[string]string{
		"What's on tomorrow?":                                 "2026-11-21, 2026-11-22",
		"Do I have anything planned for tomorrow?":            "2026-11-21, 2026-11-22",
		"What is on next week?":                               "2026-11-23, 2026-11-30",
		"What's coming up this week?":                         "2026-11-20, 2026-11-23",
		"Any appointments next month?":                        "2026-12-01, 2027-01-01",
		"Are we free on Saturday?":                            "2026-11-21, 2026-11-22",
		"What's happening at the weekend?":                    "2026-11-21, 2026-11-23",
		"What do I have in the next three days?":              "2026-11-20, 2026-11-23",
		"What is on the menu tomorrow?":                       "",
		"What's on?":                                          "",
		"What happened yesterday?":                            "",
		"What was planned last week?":                         "",
		"What did we decide this week?":                       "",
		"When is the dentist next week?":                      "",
		"Which port is the api on?":                           "",
		"Do I have anything against the new plan for Monday?": "",
	} {
		i := agendaOf(text, language.Query(text), toldIn(text, friday), friday)
		got := ""
		if i != (ctxmcp.Interval{}) {
			got = i.From.Format(time.DateOnly) + ", " + i.To.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAheadForms: the sample of each form reads as it says.
func TestAheadForms(t *testing.T) {
	for _, f := range aheadForms {
		text, want, _ := strings.Cut(f.sample, " => ")
		m := f.form.FindStringSubmatch(text)
		if m == nil {
			t.Errorf("%q is not read", text)
			continue
		}
		if i := f.stretch(m, friday); i.From.Format(time.DateOnly)+", "+i.To.Format(time.DateOnly) != want {
			t.Errorf("%q: %v to %v, want %s", text, i.From, i.To, want)
		}
	}
}
