package reduce

import (
	"math"
	"strings"
)

var lineFeatures = []lineFeature{
	{"bias", -0.53, "always 1", func(*corpus, *line) float64 { return 1 }},
	{"assistant", -0.25, "the agent said it", sourceIs(fromAssistant)},
	{"call", -0.67, "it stands in arguments", sourceIs(fromCall)},
	{"user", -1.26, "the user said it", sourceIs(fromUser)},
	{"short", -2.22, "under 28 bytes", func(_ *corpus, l *line) float64 { return is(len(l.text) < 28) }},
	{"length", -0.41, "logarithm of the bytes", func(_ *corpus, l *line) float64 { return logOf(len(l.text)) }},
	{"long", 0.09, "over 120 bytes", func(_ *corpus, l *line) float64 { return is(len(l.text) > 120) }},
	{"code", 0.94, "it has the signs of a program", func(_ *corpus, l *line) float64 { return is(l.code) }},
	{"code-around", -0.09, "share of code in its segment", func(c *corpus, l *line) float64 {
		return float64(c.infos[l.seg].code) / float64(max(c.infos[l.seg].lines, 1))
	}},
	{"indent", 0.60, "blanks in front", func(_ *corpus, l *line) float64 { return math.Min(float64(l.indent)/8, 3) }},
	{"signed", -0.12, "an added line", func(_ *corpus, l *line) float64 { return is(l.signed) }},
	{"removed", 0.27, "a removed line", func(_ *corpus, l *line) float64 { return is(strings.HasPrefix(l.text, "-")) }},
	{"comment", -0.99, "a comment", func(_ *corpus, l *line) float64 {
		return is(strings.HasPrefix(l.text, "#") || strings.HasPrefix(l.text, "//") || strings.HasPrefix(l.text, "*"))
	}},
	{"error", -1.33, "it speaks of a failure", func(_ *corpus, l *line) float64 {
		return is(strings.Contains(l.text, "Error") || strings.Contains(l.text, "FAIL") || strings.Contains(l.text, "Exception"))
	}},
	{"repeated", 0.51, "logarithm of how often it stood", func(_ *corpus, l *line) float64 { return logOf(l.count - 1) }},
	{"age", -0.12, "how far back it stood last, of all", func(c *corpus, l *line) float64 { return c.age(l.seg) }},
	{"lately", -1.39, "it stood among the last parts", func(c *corpus, l *line) float64 {
		return 1 / (1 + float64(len(c.segs)-1-l.seg)/10)
	}},
	{"known", -0.14, "share of its names that the agent used", func(c *corpus, l *line) float64 {
		return c.share(l, func(n *nameInfo) bool { return n.spoken > 0 })
	}},
	{"kept-names", -0.52, "share of its names that stand in what stays", func(c *corpus, l *line) float64 {
		return c.share(l, func(n *nameInfo) bool { return n.kept })
	}},
	{"rare", -0.94, "share of its names that one line alone holds", func(c *corpus, l *line) float64 {
		return c.share(l, func(n *nameInfo) bool { return n.lines == 1 })
	}},
	{"segment-size", -0.33, "logarithm of the lines of its segment", func(c *corpus, l *line) float64 { return logOf(c.infos[l.seg].lines) }},
	{"heat", 0.23, "mean heat of its names", func(_ *corpus, l *line) float64 { return l.heat }},
	{"hottest", 0.27, "heat of its hottest name", func(_ *corpus, l *line) float64 { return l.hottest }},
	{"segment-heat", -0.11, "heat of its segment", func(c *corpus, l *line) float64 { return c.heatOf(l.seg) }},
	{"written", -0.59, "the agent wrote it in a call", func(_ *corpus, l *line) float64 { return is(l.written) }},
	{"defines", 0.42, "it defines something", func(_ *corpus, l *line) float64 { return is(l.defines) }},
	{"viewed", -0.04, "it stood last in a file", lineSeenBy(viewDeed)},
	{"searched", -0.87, "it was found by a search", lineSeenBy(searchDeed)},
	{"edited", -1.50, "an edit answered with it", lineSeenBy(editDeed)},
	{"ran", -1.33, "a program said it", lineSeenBy(runDeed)},
	{"history", -1.59, "the version control said it", lineSeenBy(historyDeed)},
	{"call-heat", 0.35, "heat of the file of the call where it stood last", func(c *corpus, l *line) float64 { return c.callOf(l.seg).callHeat }},
	{"edited-later", 0.19, "that file was written later", func(c *corpus, l *line) float64 { return is(c.callOf(l.seg).editedLater) }},
	{"viewed-again", 0.01, "that file was looked at later", func(c *corpus, l *line) float64 { return is(c.callOf(l.seg).viewedAgain) }},
	{"turns", -0.35, "logarithm of the turns since it stood last", func(c *corpus, l *line) float64 { return logOf(c.turns[l.seg]) }},
}

func sourceIs(s source) func(*corpus, *line) float64 {
	return func(c *corpus, l *line) float64 { return is(c.segs[l.seg].source == s) }
}

func lineSeenBy(d deed) func(*corpus, *line) float64 {
	return func(c *corpus, l *line) float64 {
		return is(c.infos[l.seg].deed == d && c.segs[l.seg].source == fromResult)
	}
}

func (c *corpus) share(l *line, which func(*nameInfo) bool) float64 {
	if len(l.names) == 0 {
		return 0
	}
	n := 0
	for _, id := range l.names {
		if which(&c.names[id]) {
			n++
		}
	}
	return float64(n) / float64(len(l.names))
}
