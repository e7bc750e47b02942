package reduce

import "math"

var nameFeatures = []nameFeature{
	{"bias", "always 1", func(*corpus, *nameInfo) float64 { return 1 }},
	{"plain", "a word in lower case", shapeIs(plainWord)},
	{"capital", "a word with a capital in front, or of capitals", shapeIs(capitalWord)},
	{"snake", "words joined by underscores", shapeIs(snakeWord)},
	{"camel", "words joined by capitals", shapeIs(camelWord)},
	{"number", "digits alone", shapeIs(numberWord)},
	{"mixed", "letters and digits", shapeIs(mixedWord)},
	{"dotted", "words joined by dots", shapeIs(dottedName)},
	{"path", "words joined by slashes", shapeIs(pathName)},
	{"length", "logarithm of the bytes", func(_ *corpus, n *nameInfo) float64 { return logOf(len(n.text)) }},
	{"segments", "logarithm of the parts that hold it", func(_ *corpus, n *nameInfo) float64 { return logOf(n.segs) }},
	{"once", "one line alone holds it", func(_ *corpus, n *nameInfo) float64 { return is(n.lines == 1) }},
	{"spoken", "logarithm of how often the agent used it", func(_ *corpus, n *nameInfo) float64 { return logOf(n.spoken) }},
	{"unspoken", "the agent never used it", func(_ *corpus, n *nameInfo) float64 { return is(n.spoken == 0) }},
	{"called", "logarithm of the calls that hold it", func(_ *corpus, n *nameInfo) float64 { return logOf(n.called) }},
	{"age", "how far back it was seen last, of all", func(c *corpus, n *nameInfo) float64 { return c.age(n.lastSeg) }},
	{"lately", "it was seen among the last parts", func(c *corpus, n *nameInfo) float64 {
		return 1 / (1 + float64(len(c.segs)-1-n.lastSeg)/10)
	}},
	{"spoken-lately", "the agent used it lately", func(c *corpus, n *nameInfo) float64 {
		if n.lastSpoken < 0 {
			return 0
		}
		return 1 / (1 + float64(len(c.segs)-1-n.lastSpoken)/10)
	}},
	{"task", "the user or the system prompt names it", func(_ *corpus, n *nameInfo) float64 { return is(n.task) }},
	{"kept", "it stands in what stays", func(_ *corpus, n *nameInfo) float64 { return is(n.kept) }},
	{"heat", "logarithm of how often the agent used it, later uses counting more", func(_ *corpus, n *nameInfo) float64 { return math.Log1p(n.heat) }},
	{"defined", "a line defines it", func(_ *corpus, n *nameInfo) float64 { return is(n.defined) }},
	{"viewed", "it was seen last in a file", nameSeenBy(viewDeed)},
	{"searched", "it was seen last by a search", nameSeenBy(searchDeed)},
	{"edited", "it was seen last in an edit", nameSeenBy(editDeed)},
	{"ran", "it was seen last in what a program said", nameSeenBy(runDeed)},
	{"segment-heat", "heat of the part where it was seen last", func(c *corpus, n *nameInfo) float64 { return c.heatOf(n.lastSeg) }},
	{"call-heat", "heat of the file of the call where it was seen last", func(c *corpus, n *nameInfo) float64 { return c.callOf(n.lastSeg).callHeat }},
	{"edited-later", "that file was written later", func(c *corpus, n *nameInfo) float64 { return is(c.callOf(n.lastSeg).editedLater) }},
	{"viewed-again", "that file was looked at later", func(c *corpus, n *nameInfo) float64 { return is(c.callOf(n.lastSeg).viewedAgain) }},
	{"turns", "logarithm of the turns since it was seen", func(c *corpus, n *nameInfo) float64 { return logOf(c.turns[n.lastSeg]) }},
}

func shapeIs(s shape) func(*corpus, *nameInfo) float64 {
	return func(_ *corpus, n *nameInfo) float64 { return is(n.shape == s) }
}

func nameSeenBy(d deed) func(*corpus, *nameInfo) float64 {
	return func(c *corpus, n *nameInfo) float64 { return is(c.infos[n.lastSeg].deed == d) }
}
