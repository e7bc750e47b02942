package ranking

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// told returns a store of statements, a day apart, all of them candidates.
func told(statements ...ctxmcp.ContextObject) Found {
	f := Found{Frequency: map[string]int{}}
	for i, o := range statements {
		o.ObjectID, o.Version = fmt.Sprint("o", i), 1
		o.ObservedAt = friday.Add(time.Duration(i-len(statements)) * 24 * time.Hour)
		terms := language.Terms(o.Content)
		seen := map[string]bool{}
		for _, t := range terms {
			if !seen[t] {
				seen[t] = true
				f.Frequency[t]++
			}
		}
		f.Documents, f.Length = f.Documents+1, f.Length+len(terms)
		f.Candidates = append(f.Candidates, Candidate{Object: &o, Terms: terms})
	}
	return f
}

func said(text string) ctxmcp.ContextObject {
	return ctxmcp.ContextObject{Content: text, Authority: ctxmcp.AuthorityUser, SourceKind: ctxmcp.UserStatement}
}

func page(text string) ctxmcp.ContextObject {
	return ctxmcp.ContextObject{Content: text, Authority: ctxmcp.AuthorityRetrieved, SourceKind: ctxmcp.Web}
}

// fillers are statements about other things, so that the words of the others are rare.
var fillers = []ctxmcp.ContextObject{
	said("The bins go out on Thursday night."), said("My cousin plays the cello in an orchestra."), said("We booked the tickets for the opera."),
	said("The printer needs new toner."), said("Our lift is out of order."),
}

func ask(question string, statements ...ctxmcp.ContextObject) []Ranked {
	f := told(append(statements, fillers...)...)
	return Gather(Read(question, friday).Among(f), f, Weigh(nil)).Rank()
}

// TestOtherWords: an answer without a word of its question is found by words that are near them, or by what both are about.
func TestOtherWords(t *testing.T) {
	for _, tt := range []struct{ question, want string }{
		{"Which vehicle do we own?", "I drive a small red van."},
		{"who am I married to?", "My wife is called Carla."},
		{"Which physician do I see?", "My doctor is Mrs Okonjo."},
	} {
		got := ask(tt.question, said(tt.want))
		if len(got) == 0 || got[0].Object.Content != tt.want || got[0].Relevance < 0.15 {
			t.Errorf("%q is answered by %v, want %q", tt.question, got, tt.want)
		}
	}
}

// TestKeywords: a statement with all of many words comes first, though one of them asks for a day elsewhere.
func TestKeywords(t *testing.T) {
	got := ask("yellow tag promised date", said("Every bike gets a yellow tag with name and promised date."), said("Marlowe needs the order by Monday noon."))
	if len(got) == 0 || got[0].Object.ObjectID != "o0" {
		t.Errorf("got %v", got)
	}
}

// TestNewerFirst: what has taken the place of a statement stands before it.
func TestNewerFirst(t *testing.T) {
	got := ask("Where do I live?", said("I live at 3 Mill Lane in Derby."), said("I moved to 9 Abbey Road in Leeds."))
	if len(got) < 2 || got[0].Object.ObjectID != "o1" {
		t.Errorf("the answer begins with %v, want the later statement", got)
	}
}

// TestSaidFirst: what a page says stands behind what the user said of the same, however well it fits.
func TestSaidFirst(t *testing.T) {
	for _, question := range []string{"Which command runs the unit tests?", "unit tests command", "What is the command for the unit tests of this project?"} {
		got := ask(question, said("The unit tests run with make verify."), page("The command for the unit tests of this project is make check."))
		if len(got) < 2 || got[0].Object.ObjectID != "o0" {
			t.Errorf("%q is answered by %v first, want what the user said", question, got[0].Object.Content)
		}
	}
}

// TestSaidFirstAnywhere: it does so far down the list too.
func TestSaidFirstAnywhere(t *testing.T) {
	var all []ctxmcp.ContextObject
	for i := range 30 {
		all = append(all, said(fmt.Sprintf("The command for the tests of module %d is check%d.", i, i)))
	}
	all = append(all, page("Nightly builds are run with tests by make nightly at ten."), said("Nightly builds are run by make nights, and so are many slow tests."))
	got := ask("What is the command for the tests?", all...)
	place := func(words string) int {
		return slices.IndexFunc(got, func(r Ranked) bool { return strings.Contains(r.Object.Content, words) })
	}
	if page, user := place("make nightly"), place("make nights"); page < 12 || user > page {
		t.Errorf("of %d answers the page stands at %d and the user's words at %d", len(got), page, user)
	}
}

// TestMineFirst: the fact of the one who asks comes before that of somebody else.
func TestMineFirst(t *testing.T) {
	got := ask("What is my favourite dish?", said("My sister's favourite dish is lasagne."), said("My favourite dish is ramen."))
	if len(got) < 2 || got[0].Object.ObjectID != "o1" {
		t.Errorf("the answer begins with %v, want the own one", got)
	}
}

// TestNothingAnswers: a question that nothing speaks for has no memories, and one of which only the name is known no sure one.
func TestNothingAnswers(t *testing.T) {
	if got := ask("zygote?", said("Anna Berg lives in Oslo.")); len(got) > 0 {
		t.Errorf("an unknown word is answered by %v", got)
	}
	if got := ask("What is the blood type of Anna Berg?", said("Anna Berg lives in Oslo.")); len(got) > 0 && got[0].Relevance >= 0.5 {
		t.Errorf("what is not known is answered with relevance %v", got[0].Relevance)
	}
}

// TestRelevanceFalls: relevance falls with the order, and one that holds all of the question is sure.
func TestRelevanceFalls(t *testing.T) {
	got := ask("printer toner", said("The toner of the other printer is empty."))
	if len(got) == 0 || got[0].Relevance < 0.8 {
		t.Errorf("all words are held, and the relevance is %v", got)
	}
	for i := 1; i < len(got); i++ {
		if got[i].Relevance > got[i-1].Relevance {
			t.Errorf("relevance rises from %v to %v", got[i-1].Relevance, got[i].Relevance)
		}
	}
}
