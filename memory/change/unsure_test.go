package change

import (
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestCompetes: which statements of one person hardly hold both, and which stand beside each other.
func TestCompetes(t *testing.T) {
	for _, tt := range []struct {
		pair string
		want bool
	}{
		{"My favourite colour is green. | My favourite colour is blue.", true},
		{"I drink tea in the morning. | I drink coffee in the morning.", true},
		{"I work as a nurse. | I work as a teacher.", true},
		{"I live in Springfield. | I live in Bristol.", true},
		{"We deploy with Ansible. | We deploy with Terraform.", true},
		{"I prefer dark mode. | I prefer light mode.", true},
		{"The wifi password is bluewhale. | The wifi password is redfox.", true},
		{"I prefer tea to coffee. | I prefer coffee over tea.", true},
		{"I get up at six. | I get up at seven.", true},
		{"We deploy with Ansible. | We deploy on Tuesdays.", false},                     // another role
		{"I work as a nurse. | I work at Siemens.", false},                              // likewise
		{"My bank is Sparkasse. | My bank has a branch in the station.", false},         // another verb
		{"I speak German. | I speak Italian.", false},                                   // one may do both
		{"I am allergic to nuts. | I am allergic to shellfish.", false},                 // likewise
		{"My cat is called Miso. | My dog is called Rex.", false},                       // two sorts
		{"I live in Springfield. | My sister lives in Lyon.", false},                    // another's
		{"I drink tea in the morning. | I also drink coffee in the morning.", false},    // beside
		{"I live in Springfield. | I would like to live in Bristol.", false},            // a wish
		{"I drink tea in the morning. | I do not drink coffee in the morning.", false},  // one denies
		{"I prefer tabs. | I prefer short answers.", false},                             // of other matters
		{"I like jazz. | I like blues.", false},                                         // of none
		{"I live in Springfield. | I live in Bristol. Do you know where it is?", false}, // more than a statement
	} {
		older, newer, _ := strings.Cut(tt.pair, " | ")
		if got := Competes(said(older, 0), said(newer, 30), nil); got != tt.want {
			t.Errorf("Competes(%s) = %v, want %v", tt.pair, got, tt.want)
		}
	}
}

// TestCompetesByRule: what is inferred, of another author, on lower authority or earlier competes with nothing.
func TestCompetesByRule(t *testing.T) {
	for name, change := range map[string]func(o, n *Statement){
		"lower authority":    func(_, n *Statement) { n.Authority = ctxmcp.AuthorityRetrieved },
		"another author":     func(o, n *Statement) { o.Author, n.Author = "Ann", "Ben" },
		"an inference":       func(_, n *Statement) { n.Kind = ctxmcp.Inference },
		"of an inference":    func(o, _ *Statement) { o.Kind = ctxmcp.Inference },
		"said before":        func(o, n *Statement) { n.At = o.At.AddDate(0, 0, -1) },
		"said word for word": func(o, n *Statement) { n.Text = o.Text },
	} {
		o := Statement{Text: "I work as a nurse.", At: day0, Kind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser}
		n := o
		n.Text, n.At = "I work as a teacher.", day0.AddDate(0, 1, 0)
		change(&o, &n)
		if Competes(Read(o), Read(n), nil) {
			t.Errorf("%s competes", name)
		}
	}
}

// TestMeasuringWords: statements that share a word for a time or a count alone are of different things.
func TestMeasuringWords(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for older, newer := range map[string]string{
		"Every write endpoint requires an idempotency key.": "On-call changes every Monday at 11.",
		"The starter gets fed at 9 pm.":                     "The flour order deadline is 5 pm now.",
	} {
		if v := Compare(Read(Statement{Text: older, At: at}), Read(Statement{Text: newer, At: at.AddDate(0, 1, 0)}), nil); v.Probability > 0 {
			t.Errorf("%q changes %q with %v", newer, older, v)
		}
	}
}
