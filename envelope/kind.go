package envelope

// A kind of content, with what is kept of it.
type kind struct {
	Name string // stored in audit trails: append only
	Doc  string // what is kept
	JSON bool   // its output is JSON if its input was
	is   func(*content) bool
	keep func(*wrapping) string
	Yes  []string
	No   []string
}

// kinds are tried in this order; the first that is meant names the content. The last is always meant. init fills it, because
// what is kept of one kind may look at others.
var kinds []kind

func init() {
	kinds = []kind{
		jsonObject, jsonArray, records, diff, stackTrace, testOutput, buildOutput, logLines, markup, table, encoded, listing, code, plainText,
	}
}

// content is a text on its way to be recognised.
type content struct {
	text  string
	lines []string // the first ones that are not blank
}

const lookedAt = 100 // lines

// recognise names the content of a text. Once the watch is over the name means nothing.
func recognise(w *watch, text string) kind {
	c := &content{text: text, lines: firstLines(text, lookedAt)}
	for _, k := range kinds {
		if w.over(len(text)) {
			break
		}
		if k.is(c) {
			return k
		}
	}
	return plainText
}

// share returns how many of the lines looked at match, from 0 to 1.
func (c *content) share(match func(string) bool) float64 {
	if len(c.lines) == 0 {
		return 0
	}
	n := 0
	for _, l := range c.lines {
		if match(l) {
			n++
		}
	}
	return float64(n) / float64(len(c.lines))
}

// count returns how many of the lines looked at match.
func (c *content) count(match func(string) bool) int {
	n := 0
	for _, l := range c.lines {
		if match(l) {
			n++
		}
	}
	return n
}
