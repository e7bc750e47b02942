package envelope

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

var (
	xmlHead = language.NewPattern(`^\s*(<\?xml|<!DOCTYPE|<[A-Za-z][\w.:-]*(\s[^<>]*)?/?>)`)
	xmlTag  = language.NewPattern(`</?[A-Za-z][\w.:-]*(\s[^<>]*)?/?>`)
)

var closingTag = language.NewPattern(`^\s*</`)

// sameElement is pattern, but for the end of an element, of which nobody asks how often it is there.
func sameElement(to []byte, text string) []byte {
	if closingTag.MatchString(first(text, 100)) {
		return to
	}
	return pattern(to, text)
}

var xmlText = kind{
	Name: "xml", Doc: "the elements that answer the question or stand out, with those that they stand in",
	is: func(c *content) bool {
		return xmlHead.MatchString(first(c.text, 1000)) && strings.HasSuffix(strings.TrimSpace(c.text), ">") && len(xmlTag.FindAllStringIndex(first(c.text, 20_000), 6)) >= 6
	},
	keep: func(w *wrapping) string {
		s := shape{rank: ranks(closingTag, useless, failureWord, vital), same: sameElement, series: true, level: noHeading}
		if lines := strings.Count(w.text, "\n") + 1; len(w.text)/lines <= longElement {
			return w.keepText(w.text, s, true)
		}
		s.noun = "element"
		return w.keepText(elementsOf(watching(w.ctx), w.text), s, false)
	},
	Yes: []string{
		`<?xml version="1.0"?><list><item id="1"><name>a</name></item><item id="2"><name>b</name></item></list>`,
		"<list>\n  <item>\n    <name>a</name>\n  </item>\n  <item>\n    <name>b</name>\n  </item>\n</list>\n",
	},
	No: []string{"a < b and c > d\n", "<p>one</p>\n"},
}

// longElement is how many bytes the lines of XML have on average, from which on it is not laid out for readers.
const longElement = 300

// elementsOf lays XML out: each element on a line, indented below the one that it stands in. One that holds a text alone stays on its line.
func elementsOf(w *watch, text string) string {
	l := &layout{}
	for text != "" {
		open := strings.IndexByte(text, '<')
		end := -1
		if open >= 0 {
			end = strings.IndexByte(text[open:], '>')
		}
		if end < 0 || w.over(open+end+1) {
			break
		}
		if said := strings.TrimSpace(text[:open]); said != "" {
			l.write(said, l.opened)
		}
		l.tag(text[open : open+end+1])
		text = text[open+end+1:]
	}
	if text = strings.TrimSpace(text); text != "" {
		l.write(text, false)
	}
	return l.b.String()
}

// layout writes elements.
type layout struct {
	b      strings.Builder
	depth  int
	opened bool // the line has the beginning of an element that holds no other yet
}

func (l *layout) tag(tag string) {
	switch {
	case strings.HasPrefix(tag, "</"):
		l.depth = max(0, l.depth-1)
		l.write(tag, l.opened)
		l.opened = false
	case strings.HasSuffix(tag, "/>") || strings.HasPrefix(tag, "<?") || strings.HasPrefix(tag, "<!"):
		l.write(tag, false)
		l.opened = false
	default:
		l.write(tag, false)
		l.opened = true
		l.depth++
	}
}

func (l *layout) write(text string, sameLine bool) {
	if !sameLine {
		if l.b.Len() > 0 {
			l.b.WriteByte('\n')
		}
		l.b.WriteString(strings.Repeat("  ", min(l.depth, 30)))
	}
	l.b.WriteString(text)
}
