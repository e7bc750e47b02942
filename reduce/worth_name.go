package reduce

import "math"

var nameFeatures = []nameFeature{
	{"bias", -0.74, "always 1", func(*corpus, *nameInfo) float64 { return 1 }},
	{"plain", -1.75, "a word in lower case", shapeIs(plainWord)},
	{"capital", -1.78, "a word with a capital in front, or of capitals", shapeIs(capitalWord)},
	{"snake", 1.02, "words joined by underscores", shapeIs(snakeWord)},
	{"camel", 0.51, "words joined by capitals", shapeIs(camelWord)},
	{"number", -1.44, "digits alone", shapeIs(numberWord)},
	{"mixed", 0.93, "letters and digits", shapeIs(mixedWord)},
	{"dotted", 1.19, "words joined by dots", shapeIs(dottedName)},
	{"path", 2.38, "words joined by slashes", shapeIs(pathName)},
	{"length", -0.22, "logarithm of the bytes", func(_ *corpus, n *nameInfo) float64 { return logOf(len(n.text)) }},
	{"segments", -0.30, "logarithm of the parts that hold it", func(_ *corpus, n *nameInfo) float64 { return logOf(n.segs) }},
	{"once", -0.98, "one line alone holds it", func(_ *corpus, n *nameInfo) float64 { return is(n.lines == 1) }},
	{"spoken", 0.08, "logarithm of how often the agent used it", func(_ *corpus, n *nameInfo) float64 { return logOf(n.spoken) }},
	{"unspoken", -0.88, "the agent never used it", func(_ *corpus, n *nameInfo) float64 { return is(n.spoken == 0) }},
	{"called", 0.33, "logarithm of the calls that hold it", func(_ *corpus, n *nameInfo) float64 { return logOf(n.called) }},
	{"age", -0.74, "how far back it was seen last, of all", func(c *corpus, n *nameInfo) float64 { return c.age(n.lastSeg) }},
	{"lately", -1.44, "it was seen among the last parts", func(c *corpus, n *nameInfo) float64 {
		return 1 / (1 + float64(len(c.segs)-1-n.lastSeg)/10)
	}},
	{"spoken-lately", -0.66, "the agent used it lately", func(c *corpus, n *nameInfo) float64 {
		if n.lastSpoken < 0 {
			return 0
		}
		return 1 / (1 + float64(len(c.segs)-1-n.lastSpoken)/10)
	}},
	{"task", -1.25, "the user or the system prompt names it", func(_ *corpus, n *nameInfo) float64 { return is(n.task) }},
	{"kept", -0.99, "it stands in what stays", func(_ *corpus, n *nameInfo) float64 { return is(n.kept) }},
	{"heat", 0.47, "logarithm of how often the agent used it, later uses counting more", func(_ *corpus, n *nameInfo) float64 { return math.Log1p(n.heat) }},
	{"defined", 0.30, "a line defines it", func(_ *corpus, n *nameInfo) float64 { return is(n.defined) }},
	{"viewed", -0.32, "it was seen last in a file", nameSeenBy(viewDeed)},
	{"searched", 0.29, "it was seen last by a search", nameSeenBy(searchDeed)},
	{"edited", -0.67, "it was seen last in an edit", nameSeenBy(editDeed)},
	{"ran", -0.83, "it was seen last in what a program said", nameSeenBy(runDeed)},
	{"segment-heat", -0.65, "heat of the part where it was seen last", func(c *corpus, n *nameInfo) float64 { return c.heatOf(n.lastSeg) }},
	{"call-heat", -0.10, "heat of the file of the call where it was seen last", func(c *corpus, n *nameInfo) float64 { return c.callOf(n.lastSeg).callHeat }},
	{"edited-later", 0.28, "that file was written later", func(c *corpus, n *nameInfo) float64 { return is(c.callOf(n.lastSeg).editedLater) }},
	{"viewed-again", -0.07, "that file was looked at later", func(c *corpus, n *nameInfo) float64 { return is(c.callOf(n.lastSeg).viewedAgain) }},
	{"turns", -0.46, "logarithm of the turns since it was seen", func(c *corpus, n *nameInfo) float64 { return logOf(c.turns[n.lastSeg]) }},
}

func shapeIs(s shape) func(*corpus, *nameInfo) float64 {
	return func(_ *corpus, n *nameInfo) float64 { return is(n.shape == s) }
}

func nameSeenBy(d deed) func(*corpus, *nameInfo) float64 {
	return func(c *corpus, n *nameInfo) float64 { return is(c.infos[n.lastSeg].deed == d) }
}
