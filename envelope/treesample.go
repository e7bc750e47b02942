package envelope

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// sample returns which elements are shown, in order: those that are lit, the first ones, those that speak of a failure, and the last.
func (n *node) sample(most int) iter.Seq[int] {
	count := n.len()
	if count <= most {
		return func(yield func(int) bool) {
			for i := 0; i < count && yield(i); i++ {
			}
		}
	}
	chosen := map[int]bool{}
	add := func(i int) {
		if len(chosen) < most {
			chosen[i] = true
		}
	}
	for i := range (most + 1) / 2 {
		add(i)
	}
	if most > 2 {
		add(count - 1)
	}
	for _, i := range n.failed() {
		add(i)
	}
	for i := 0; len(chosen) < most; i++ {
		add(i)
	}
	if n.lit {
		for i, c := range n.children {
			if c != nil && (c.lit || c.bright) {
				chosen[i] = true
			}
		}
	}
	return slices.Values(slices.Sorted(maps.Keys(chosen)))
}

// failed returns the elements that speak of a failure in one of their own members.
func (n *node) failed() []int {
	if n.failures == nil {
		n.failures = []int{}
		for i := range n.len() {
			e := n.element(i)
			if n.watch.over(len(e.src) + 1) {
				break
			}
			if e.speaksOfFailure() {
				n.failures = append(n.failures, i)
			}
		}
	}
	return n.failures
}

// element returns a member without keeping it.
func (n *node) element(i int) *node {
	if c := n.children[i]; c != nil {
		return c
	}
	return nodeOf(n.watch, n.parts[i])
}

const longestRemark = 500 // bytes of a string that is looked at for words of failure

func (n *node) speaksOfFailure() bool {
	if n.kind != object || n.src != "" && !failureHint.MatchString(n.src) {
		return false
	}
	for i, key := range n.names() {
		c := n.element(i)
		if c.kind == stringKind && len(c.src) < longestRemark && failureWord.MatchString(c.text()) || c.fails(key) {
			return true
		}
	}
	return false
}

// fails reports whether a value tells of a failure by its key: an error that says something, a state of failure that is true, a code of an exit that is not 0.
func (n *node) fails(key string) bool {
	switch {
	case failureKey.MatchString(key):
		return n.says()
	case n.kind != scalar:
		return false
	case n.src == "true":
		return failureWord.MatchString(key)
	}
	return exitKey.MatchString(key) && n.says()
}

// says reports whether a value is more than an empty one.
func (n *node) says() bool {
	switch n.kind {
	case scalar, stringKind:
		return !strings.Contains(` null false 0 "" `, " "+n.src+" ")
	}
	return n.len() > 0
}
