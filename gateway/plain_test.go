package gateway

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlainNames tells which tools keep their own names beside others that want them, are taken, or are not seen.
func TestPlainNames(t *testing.T) {
	a, b, prefixed := origin{"a", "look"}, origin{"b", "look"}, origin{"c", "look"}
	for _, c := range []struct {
		name   string
		wishes []wish
		want   map[origin]string
		lost   []string
	}{
		{"alone", []wish{{a, true, true}}, map[origin]string{a: "look"}, nil},
		{"beside one with a prefix", []wish{{a, true, true}, {prefixed, false, true}}, map[origin]string{a: "look", prefixed: "c__look"}, nil},
		{"two want it", []wish{{a, true, true}, {b, true, true}}, map[origin]string{a: "a__look", b: "b__look"}, []string{"look"}},
		{"the other is not seen", []wish{{a, true, true}, {b, true, false}}, map[origin]string{a: "look", b: "b__look"}, nil},
		{"neither is seen", []wish{{a, true, false}, {b, true, false}}, map[origin]string{a: "a__look", b: "b__look"}, nil},
		{"taken", []wish{{origin{"a", "recall"}, true, true}}, map[origin]string{{"a", "recall"}: "a__recall"}, []string{"recall"}},
		{"another's with its prefix", []wish{{origin{"a", "c__look"}, true, true}, {prefixed, false, true}}, map[origin]string{{"a", "c__look"}: "a__c__look", prefixed: "c__look"}, []string{"c__look"}},
		{"of a server that was never seen", []wish{{origin{"a", "later__look"}, true, true}}, map[origin]string{{"a", "later__look"}: "a__later__look"}, []string{"later__look"}},
		{"with signs that no client takes", []wish{{origin{"a", "x y"}, true, true}, {origin{"b", "x_y"}, true, true}}, map[origin]string{{"a", "x y"}: ownName("x y"), {"b", "x_y"}: "x_y"}, nil},
	} {
		of, by, clashes := plainNames(c.wishes, []string{"a", "b", "c", "later"}, map[string]bool{"recall": true})
		var lost []string
		for _, l := range clashes {
			lost = append(lost, l.name)
		}
		if !cmp.Equal(of, c.want) || !slices.Equal(lost, c.lost) || len(by) != len(c.want) {
			t.Errorf("%s: %v, lost %q, want %v and %q", c.name, of, lost, c.want, c.lost)
		}
		for o, name := range of {
			if by[name] != o || unfit.MatchString(name) {
				t.Errorf("%s: %q is %v, want %v", c.name, name, by[name], o)
			}
		}
	}
}

// TestPlainServers calls tools by their own names; one whose name two servers want goes to neither, and the error and the status say what to do.
func TestPlainServers(t *testing.T) {
	answers := func(text string) map[string]json.RawMessage {
		return map[string]json.RawMessage{"tools/call": json.RawMessage(`{"content":[{"type":"text","text":"` + text + `"}]}`)}
	}
	look := `{"name":"look","inputSchema":{"type":"object"}}`
	one := script{Offer: offering(echo, look, `{"name":"own","inputSchema":{"type":"object"}}`), Results: answers("one")}.server(t)
	two := script{Offer: offering(look), Results: answers("two")}.server(t)
	one.Plain, two.Plain = true, true
	servers := map[string]Server{"one": one, "two": two}
	dir := t.TempDir()
	r := newRig(t, servers, Options{Dir: dir, Deny: []string{"nothing"}}, `{}`)
	if diff := cmp.Diff([]string{"own", "echo", "one__look", "one__own", "two__look"}, r.listedTools()); diff != "" {
		t.Error(diff)
	}
	for tool, want := range map[string]string{"echo": "one", "two__look": "two", "own": "mine", "one__own": "one", "look": "call one__look or two__look"} {
		if got := string(r.call(tool, `{}`)); !strings.Contains(got, want) {
			t.Errorf("%s answers %s, want %q", tool, got, want)
		}
	}
	book, err := OpenBook(dir, r.Now)
	if err != nil {
		t.Fatal(err)
	}
	all, err := book.Status(context.Background())
	if err != nil || len(all) != 2 || !slices.Equal(all[0].Prefixed, []string{"look", "own"}) || !slices.Equal(all[1].Prefixed, []string{"look"}) {
		t.Errorf("the status is %+v, %v", all, err)
	}
	if hello := string(r.begin(`{}`)["result"]); strings.Contains(hello, "begin with one__") {
		t.Errorf("the instructions say of a plain server: %s", hello)
	}
	r = newRig(t, servers, Options{Dir: dir, Deny: []string{"two__*", "own"}}, `{}`)
	if diff := cmp.Diff([]string{"own", "echo", "look"}, r.listedTools()); diff != "" {
		t.Errorf("without the tools of two: %s", diff)
	}
	if got := string(r.call("look", `{}`)); !strings.Contains(got, "one") {
		t.Errorf("look answers %s", got)
	}
}
