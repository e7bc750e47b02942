package envelope

import (
	"slices"
)

// sample returns which elements are shown, in order: the first ones, those that speak of a failure, and the last.
func (n *node) sample(most int) []int {
	var chosen []int
	add := func(i int) {
		if len(chosen) < most && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	if len(n.children) <= most {
		for i := range n.children {
			chosen = append(chosen, i)
		}
		return chosen
	}
	for i := range (most + 1) / 2 {
		add(i)
	}
	if most > 2 {
		add(len(n.children) - 1)
	}
	for i, failed := range n.records {
		if failed && len(chosen) < most {
			add(i)
		}
	}
	for i := 0; len(chosen) < most; i++ {
		add(i)
	}
	slices.Sort(chosen)
	return chosen
}

// findFailures marks the elements of arrays that speak of a failure in one of their own members.
func (n *node) findFailures() {
	if n.kind == array || n.kind == jsonLines {
		n.records = make([]bool, len(n.children))
	}
	for i, c := range n.children {
		c.findFailures()
		if n.records == nil || c.kind != object {
			continue
		}
		for j, m := range c.children {
			if m.kind == stringKind && len(m.text) < 500 && failureWord.MatchString(m.text) ||
				failureKey.MatchString(c.keys[j]) && m.raw != "null" && m.raw != "false" && m.raw != "0" && (m.kind != stringKind || m.text != "") && (m.kind == scalar || len(m.children) > 0 || m.kind == stringKind) {
				n.records[i] = true
			}
		}
	}
}
