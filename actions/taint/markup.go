package taint

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// links returns where the addresses of links stand in the tags of a cell.
func links(text string, c cell) []span {
	var all []span
	for _, name := range []string{"href=", "src=", "action="} {
		for from := c.start; ; {
			at := strings.Index(text[from:c.end], name)
			if at < 0 {
				break
			}
			start := from + at + len(name)
			end := start
			for end < c.end && strings.IndexByte(" >", text[end]) < 0 {
				end++
			}
			if s, ok := trimmed(text, start, end); ok {
				all = append(all, s)
			}
			from = max(end, start+1)
			if from >= c.end {
				break
			}
		}
	}
	return all
}

// commentsIn returns where comments of markup stand in a cell.
func commentsIn(text string, c cell) []span {
	var all []span
	for from := c.start; ; {
		at := strings.Index(text[from:c.end], "<!--")
		if at < 0 {
			return all
		}
		start := from + at
		end := c.end
		if n := strings.Index(text[start:c.end], "-->"); n >= 0 {
			end = start + n
		}
		all = append(all, span{start, end})
		from = end
		if from == start {
			return all
		}
	}
}

// attribute matches a text in an attribute of a tag, such as the description of an image.
var attribute = language.NewPattern(`\s([a-zA-Z-]+)=\\*(?:"([^"<>]{12,}?)\\*"|'([^'<>]{12,})')`)

// spoken returns where texts stand in the attributes of the tags of a cell: at least three words.
func spoken(text string, c cell) []span {
	var all []span
	for i := c.start; i < c.end; i++ {
		n := 0
		if text[i] == '<' {
			n = tag(text[i:c.end])
		}
		if n == 0 {
			continue
		}
		for _, m := range attribute.FindAllStringSubmatchIndex(text[i:i+n], -1) {
			at := span{i + max(m[4], m[6]), i + max(m[5], m[7])}
			if name := text[i+m[2] : i+m[3]]; name != "style" && name != "class" && strings.Count(text[at.start:at.end], " ") > 1 {
				all = append(all, at)
			}
		}
		i += n - 1
	}
	return all
}
