package reduce

import (
	"math"
	"strings"
)

// statementFeature is a property of a sentence that the agent or the user said.
type statementFeature struct {
	Name string
	Doc  string
	of   func(c *corpus, l *line, s *statement) float64
}

var statementFeatures = []statementFeature{
	{"bias", "always 1", func(*corpus, *line, *statement) float64 { return 1 }},
	{"user", "the user said it", func(c *corpus, l *line, _ *statement) float64 { return is(c.segs[l.seg].source.instructs()) }},
	{"user: constraint", "the user says what must be, or must not", userTells("constraint")},
	{"user: request", "the user asks for something", userTells("request")},
	{"user: correction", "the user takes something back", userTells("correction")},
	{"cause", "it says why something is so", tells("cause")},
	{"condition", "it says when something holds", tells("condition")},
	{"constraint", "it says what must be, or must not", tells("constraint")},
	{"correction", "it takes something back", tells("correction")},
	{"decision", "it settles on a way", tells("decision")},
	{"fact", "it says where or how something is", tells("fact")},
	{"finding", "it says what was found", tells("finding")},
	{"hedge", "it is not sure", tells("hedge")},
	{"reason", "it joins a reason to a consequence", tells("reason")},
	{"rejection", "it says what does not work, or is not done", tells("rejection")},
	{"status", "it says how far something is", tells("status")},
	{"step", "it says what is to be done later", tells("step")},
	{"question", "it leaves something open", tells("question")},
	{"asks", "it ends in a question mark", func(_ *corpus, l *line, _ *statement) float64 { return is(strings.HasSuffix(l.text, "?")) }},
	{"kinds", "how many kinds of statement it is", func(_ *corpus, _ *line, s *statement) float64 { return float64(kindsOf(s.cues)) }},
	{"narrates", "it begins by telling the next move", func(_ *corpus, _ *line, s *statement) float64 { return is(s.opening&cueOf("narration") != 0) }},
	{"announces", "it ends by leading over to what follows", func(_ *corpus, l *line, _ *statement) float64 { return is(strings.HasSuffix(l.text, ":")) }},
	{"labelled", "a short word and a colon stand in front", func(_ *corpus, l *line, _ *statement) float64 { return is(labelled(l.text)) }},
	{"item", "an item of a list", func(_ *corpus, l *line, _ *statement) float64 { return is(itemOf(l.text)) }},
	{"marked", "parts of it are marked as weighty", func(_ *corpus, l *line, _ *statement) float64 { return is(strings.Contains(l.text, "**")) }},
	{"first", "the first of its message", func(_ *corpus, _ *line, s *statement) float64 { return is(s.place == 0) }},
	{"early", "one of the first three of its message", func(_ *corpus, _ *line, s *statement) float64 { return is(s.place < 3) }},
	{"place", "logarithm of the sentences of its message in front of it", func(_ *corpus, _ *line, s *statement) float64 { return logOf(s.place) }},
	{"before", "logarithm of the bytes of its message in front of it, in hundreds", func(_ *corpus, _ *line, s *statement) float64 { return math.Log1p(float64(s.before) / 100) }},
	{"last", "the last of its message", func(_ *corpus, _ *line, s *statement) float64 { return is(s.last) }},
	{"calls", "its message calls a tool", func(_ *corpus, _ *line, s *statement) float64 { return is(s.calls) }},
	{"short", "under five words", func(_ *corpus, _ *line, s *statement) float64 { return is(s.words < 5) }},
	{"code", "it has the signs of a program", func(_ *corpus, l *line, _ *statement) float64 { return is(l.code) }},
	{"names", "it names things as programs do", func(c *corpus, l *line, _ *statement) float64 { return is(c.namesThings(l)) }},
	{"number", "it has a figure", func(_ *corpus, l *line, _ *statement) float64 { return is(strings.ContainsAny(l.text, "0123456789")) }},
	{"quotes", "it quotes a name or a piece of code", func(_ *corpus, l *line, _ *statement) float64 { return is(strings.ContainsAny(l.text, "`\"")) }},
	{"prose", "it stands in prose, not between fences", func(_ *corpus, l *line, _ *statement) float64 { return is(l.prose) }},
	{"repeated", "logarithm of how often it was said", func(_ *corpus, l *line, _ *statement) float64 { return logOf(l.count - 1) }},
	{"later", "share of it that is spoken of later", func(_ *corpus, _ *line, s *statement) float64 { return s.later }},
	{"again", "share of it that a later sentence says again", func(_ *corpus, _ *line, s *statement) float64 { return s.again }},
	{"heat", "mean heat of its names", func(_ *corpus, l *line, _ *statement) float64 { return l.heat }},
	{"new", "share of its names that stood nowhere before", func(c *corpus, l *line, _ *statement) float64 {
		return c.share(l, func(n *nameInfo) bool { return n.firstSeg == l.seg })
	}},
	{"age", "how far back it was said, of all", func(c *corpus, l *line, _ *statement) float64 { return c.age(l.seg) }},
	{"lately", "it was said among the last parts", func(c *corpus, l *line, _ *statement) float64 {
		return 1 / (1 + float64(len(c.segs)-1-l.seg)/10)
	}},
	{"opening", "it was said in the first turns", func(c *corpus, l *line, _ *statement) float64 {
		return 1 / (1 + float64(l.seg)/10)
	}},
}

func tells(row string) func(*corpus, *line, *statement) float64 {
	bit := cueOf(row)
	return func(_ *corpus, _ *line, s *statement) float64 { return is(s.cues&bit != 0) }
}

func userTells(row string) func(*corpus, *line, *statement) float64 {
	bit := cueOf(row)
	return func(c *corpus, l *line, s *statement) float64 {
		return is(s.cues&bit != 0 && c.segs[l.seg].source.instructs())
	}
}

// kindsOf returns how many kinds of statement a sentence is, but for those that only lead on.
func kindsOf(cues cue) (n int) {
	for cues &^= cueOf("narration") | cueOf("hedge"); cues != 0; cues &= cues - 1 {
		n++
	}
	return n
}

// labelled reports whether a few words and a colon stand in front of a sentence.
func labelled(text string) bool {
	lead, rest, is := strings.Cut(strings.Trim(text, "*#-> "), ":")
	return is && len(lead) <= 40 && strings.TrimSpace(rest) != "" && strings.Count(lead, " ") <= 3
}

func itemOf(text string) bool {
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "• ") ||
		len(text) > 2 && text[0] >= '0' && text[0] <= '9' && strings.IndexByte(".)", text[1]) >= 0
}

// namesThings reports whether a line has a name as programs have them.
func (c *corpus) namesThings(l *line) bool {
	for _, n := range l.names {
		switch c.names[n].shape {
		case snakeWord, camelWord, dottedName, pathName, mixedWord:
			return true
		}
	}
	return false
}

// worthOfStatement returns the chance that a sentence is a conclusion, a decision, a demand or the like that still counts, 0 for a line that
// nobody said.
func (c *corpus) worthOfStatement(id int32) float64 {
	s := c.speech.of[id]
	if s == nil {
		return 0
	}
	sum := 0.0
	for i := range statementFeatures {
		if w := statementWeights[i]; w != 0 {
			sum += w * statementFeatures[i].of(c, &c.lines[id], s)
		}
	}
	return logistic(math.Min(sum, 30))
}
