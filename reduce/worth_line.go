package reduce

import (
	"math"
	"strings"
)

var lineFeatures = []lineFeature{
	{"bias", "always 1", func(*corpus, *line) float64 { return 1 }},
	{"assistant", "the agent said it", sourceIs(fromAssistant)},
	{"call", "it stands in arguments", sourceIs(fromCall)},
	{"user", "the user said it", sourceIs(fromUser)},
	{"short", "under 28 bytes", func(_ *corpus, l *line) float64 { return is(len(l.text) < 28) }},
	{"length", "logarithm of the bytes", func(_ *corpus, l *line) float64 { return logOf(len(l.text)) }},
	{"long", "over 120 bytes", func(_ *corpus, l *line) float64 { return is(len(l.text) > 120) }},
	{"code", "it has the signs of a program", func(_ *corpus, l *line) float64 { return is(l.code) }},
	{"code-around", "share of code in its segment", func(c *corpus, l *line) float64 {
		return float64(c.infos[l.seg].code) / float64(max(c.infos[l.seg].lines, 1))
	}},
	{"indent", "blanks in front", func(_ *corpus, l *line) float64 { return math.Min(float64(l.indent)/8, 3) }},
	{"signed", "an added line", func(_ *corpus, l *line) float64 { return is(l.signed) }},
	{"removed", "a removed line", func(_ *corpus, l *line) float64 { return is(strings.HasPrefix(l.text, "-")) }},
	{"comment", "a comment", func(_ *corpus, l *line) float64 {
		return is(strings.HasPrefix(l.text, "#") || strings.HasPrefix(l.text, "//") || strings.HasPrefix(l.text, "*"))
	}},
	{"error", "it speaks of a failure", func(_ *corpus, l *line) float64 {
		return is(strings.Contains(l.text, "Error") || strings.Contains(l.text, "FAIL") || strings.Contains(l.text, "Exception"))
	}},
	{"repeated", "logarithm of how often it stood", func(_ *corpus, l *line) float64 { return logOf(l.count - 1) }},
	{"age", "how far back it stood last, of all", func(c *corpus, l *line) float64 { return c.age(l.seg) }},
	{"lately", "it stood among the last parts", func(c *corpus, l *line) float64 {
		return 1 / (1 + float64(len(c.segs)-1-l.seg)/10)
	}},
	{"known", "share of its names that the agent used", func(c *corpus, l *line) float64 {
		return c.share(l, func(n *nameInfo) bool { return n.spoken > 0 })
	}},
	{"kept-names", "share of its names that stand in what stays", func(c *corpus, l *line) float64 {
		return c.share(l, func(n *nameInfo) bool { return n.kept })
	}},
	{"rare", "share of its names that one line alone holds", func(c *corpus, l *line) float64 {
		return c.share(l, func(n *nameInfo) bool { return n.lines == 1 })
	}},
	{"segment-size", "logarithm of the lines of its segment", func(c *corpus, l *line) float64 { return logOf(c.infos[l.seg].lines) }},
	{"heat", "mean heat of its names", func(_ *corpus, l *line) float64 { return l.heat }},
	{"hottest", "heat of its hottest name", func(_ *corpus, l *line) float64 { return l.hottest }},
	{"segment-heat", "heat of its segment", func(c *corpus, l *line) float64 { return c.heatOf(l.seg) }},
	{"written", "the agent wrote it in a call", func(_ *corpus, l *line) float64 { return is(l.written) }},
	{"defines", "it defines something", func(_ *corpus, l *line) float64 { return is(l.defines) }},
	{"viewed", "it stood last in a file", lineSeenBy(viewDeed)},
	{"searched", "it was found by a search", lineSeenBy(searchDeed)},
	{"edited", "an edit answered with it", lineSeenBy(editDeed)},
	{"ran", "a program said it", lineSeenBy(runDeed)},
	{"history", "the version control said it", lineSeenBy(historyDeed)},
	{"call-heat", "heat of the file of the call where it stood last", func(c *corpus, l *line) float64 { return c.callOf(l.seg).callHeat }},
	{"edited-later", "that file was written later", func(c *corpus, l *line) float64 { return is(c.callOf(l.seg).editedLater) }},
	{"viewed-again", "that file was looked at later", func(c *corpus, l *line) float64 { return is(c.callOf(l.seg).viewedAgain) }},
	{"turns", "logarithm of the turns since it stood last", func(c *corpus, l *line) float64 { return logOf(c.turns[l.seg]) }},
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
