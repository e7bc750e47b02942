package envelope

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// content is a text on its way to be recognised.
type content struct {
	text  string
	lines []string // the first ones that are not blank
}

const lookedAt = 100 // lines

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

func firstLines(text string, most int) (lines []string) {
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) != "" {
			lines = append(lines, first(strings.TrimRight(l, "\r\n"), 1000))
		}
		if len(lines) == most {
			break
		}
	}
	return lines
}

// mostValues is how many values JSON may have to be looked into: the tree takes many times the bytes of each. JSON with more
// is shown as text.
const mostValues = 1_000_000

func isJSON(text string) bool { return opensJSON(text) && fewValues(text) && artifacts.IsJSON(text) }

func isJSONLines(text string) bool {
	return opensJSON(text) && fewValues(text) && artifacts.IsJSONLines(text)
}

// opensJSON reports whether a text begins as an object or an array does: most do not, and nothing more of them is looked at.
func opensJSON(text string) bool {
	begin := strings.TrimLeft(text, " \t\r\n")
	return begin != "" && (begin[0] == '{' || begin[0] == '[')
}

func fewValues(text string) bool {
	return len(text) <= mostValues || ijson.Values([]byte(text)) <= mostValues
}
