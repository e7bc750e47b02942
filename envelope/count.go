package envelope

import (
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language/relations"
)

// mostCommon is the share of the texts from which a word does not tell them apart.
const mostCommon = 0.95

// tally counts, for each term of a question, the texts that have the word itself. The matches of the whole are counted, since a reader of a part
// would count that part.
type tally struct {
	need   *need
	of     int      // texts
	has    []uint64 // of each text, the terms that it has
	counts []int    // of each term, the texts that have it
}

// tallyOf returns an empty tally; nil where nothing is counted.
func tallyOf(n *need) *tally {
	if n == nil || !n.answers[relations.Number] {
		return nil
	}
	return &tally{need: n, counts: make([]int, len(n.terms))}
}

// add counts a text.
func (c *tally) add(text string) {
	var has uint64
	eachWord(text, func(form []byte, _ int) bool {
		if term := c.need.ownOf(form); term >= 0 {
			has |= 1 << term
		}
		return true
	})
	for i := range c.counts {
		if has&(1<<i) != 0 {
			c.counts[i]++
		}
	}
	c.of++
	c.has = append(c.has, has)
}

// String tells the number of texts with the words that tell them apart: with all of these words, or else with each; "" if there are none.
func (c *tally) String(noun string) string {
	var words, told []string
	var all uint64
	for i, n := range c.counts {
		switch {
		case c.need.not[i] && n > 0 && n < c.of:
			told = append(told, fmt.Sprintf("%d of %d %s do not have %q", c.of-n, c.of, noun, c.need.forms[i]))
		case n > 0 && float64(n) < mostCommon*float64(c.of) && !c.need.not[i]:
			all |= 1 << i
			words = append(words, fmt.Sprintf("%q", c.need.forms[i]))
			told = append(told, fmt.Sprintf("%d of %d %s have %q", n, c.of, noun, c.need.forms[i]))
		}
	}
	if len(words) > 1 {
		both := 0
		for _, has := range c.has {
			if has&all == all {
				both++
			}
		}
		if both > 0 && len(words) == len(told) {
			return fmt.Sprintf("%d of %d %s have %s", both, c.of, noun, strings.Join(words, " and "))
		}
	}
	return strings.Join(told, ", ")
}

// counted tells the number of lines that match a question for a number, the lines that name the columns aside; "" for other questions.
func (t *lined) counted() string {
	c := tallyOf(t.need)
	if c == nil || len(t.all) > mostLeaves {
		return ""
	}
	if said := t.grouped(); said != "" {
		return said
	}
	for _, text := range t.all[min(t.head, len(t.all)):] {
		if t.watch.over(len(text) + 1) {
			return ""
		}
		if strings.TrimSpace(text) != "" {
			c.add(text)
		}
	}
	noun := t.noun + "s"
	switch blank := t.blanks[len(t.all)]; {
	case t.head > 0:
		noun += " below the head"
	case blank > 0:
		noun += " with text"
	}
	return c.String(noun)
}

// counted tells the number of elements in the longest list of a tree that match a question for a number.
func (n *node) counted(need *need) string {
	c := tallyOf(need)
	if c == nil {
		return ""
	}
	list, path := n.longest("$", 0)
	if list == nil || list.len() > mostLeaves {
		return ""
	}
	for i := range list.len() {
		src := list.element(i).src
		if n.watch.over(len(src) + 1) {
			return ""
		}
		c.add(src)
	}
	noun := "elements of " + path
	if list.kind == jsonLines {
		noun = "records"
	}
	if said := list.grouped(need, noun); said != "" {
		return said
	}
	if said := c.String(noun); said != "" {
		return said
	}
	return list.countedByField(need, noun)
}

// longest returns the longest list of a tree, and its path.
func (n *node) longest(path string, depth int) (list *node, at string) {
	switch {
	case depth > 4:
		return nil, ""
	case n.kind == array || n.kind == jsonLines:
		return n, path
	case n.kind == object:
		for i, key := range n.names() {
			if l, p := n.child(i).longest(path+memberPath(key), depth+1); l != nil && (list == nil || l.len() > list.len()) {
				list, at = l, p
			}
		}
	}
	return list, at
}
