package taint

import "strings"

// stopWords carry no subject matter.
var stopWords = plainSet("a an the and or but if then else of to in on at by for with from as is are was were be been being am i me my mine we " +
	"us our you your yours he him his she her hers it its they them their this that these those there here what which who whom whose when " +
	"where why how all any both each few more most other some such no nor not only own same so than too very can could may might must shall " +
	"should will would do does did done doing have has had having up down out off over under again once also just please thank thanks hi " +
	"hello hey dear best regards let want need like get got make sure about into per via using use one two three first next now new last")

func plainSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// stem takes the endings off an English word in lower case, so that its forms meet: not a linguist's stem, but the same on
// both sides of a comparison.
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	for _, e := range endings {
		if n := len(w) - len(e.cut); n >= e.left && strings.HasSuffix(w, e.cut) {
			w = w[:n] + e.add
			break
		}
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' && w[n-1] != 'e' && w[n-1] != 'o' {
		w = w[:n-1]
	}
	if n := len(w); n > 3 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	return w
}

// endings are tried in order. left is how many letters must remain.
var endings = []struct {
	cut, add string
	left     int
}{
	{"ies", "y", 2}, {"ied", "y", 2}, {"sses", "ss", 2}, {"shes", "sh", 2}, {"ches", "ch", 2}, {"xes", "x", 2},
	{"ing", "", 3}, {"ed", "", 3}, {"ss", "ss", 1}, {"us", "us", 2}, {"is", "is", 2}, {"s", "", 3},
}
