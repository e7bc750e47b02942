package envelope

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Elements that begin a line, those with a # before their text, and those of which a reader sees nothing.
var (
	headingNames = []string{"title", "h1", "h2", "h3", "h4", "h5", "h6"}
	blockNames   = append([]string{"p", "div", "br", "tr", "li", "ul", "ol", "table", "section", "article", "header", "footer", "body", "head"}, headingNames...)
	linkNames    = []string{"a"}
	cellNames    = []string{"td", "th"}
	droppedNames = []string{"script", "style", "svg", "noscript", "template"}
)

// entities are the characters that pages write with names, each before the character.
var entities = [][2]string{{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", `"`}, {"&#39;", "'"}, {"&nbsp;", " "}}

// htmlSpace are the blanks within a tag.
const htmlSpace = "\t\n\f\r "

// textOfHTML returns what a reader of the page sees, a block a line, headings behind a #, cells of tables behind a bar, and links with their
// addresses.
func textOfHTML(w *watch, page string) string {
	page = withoutDropped(w, page)
	page = replaceTags(w, page, func(tag string) (string, bool) { return "\n# ", opens(tag, headingNames) })
	page = replaceTags(w, page, func(tag string) (string, bool) { return "\n", bounds(tag, blockNames) })
	page = replaceTags(w, page, func(tag string) (string, bool) { return " | ", opens(tag, cellNames) })
	page = withAddresses(w, page)
	page = replaceTags(w, page, func(string) (string, bool) { return " ", true })
	page = withoutEntities(w, page)
	text := make([]byte, 0, len(page))
	for line := range strings.Lines(page) {
		begun := len(text)
		for word := range strings.FieldsSeq(line) {
			if w.over(len(word) + 1) {
				return ""
			}
			if len(text) > begun {
				text = append(text, ' ')
			}
			text = append(text, word...)
		}
		if said := string(text[begun:min(len(text), begun+2)]); said == "" || said == "#" || said == "|" {
			text = text[:begun]
			continue
		}
		text = append(text, '\n')
	}
	return string(text)
}

// replaceTags puts other text in the place of the tags that are meant: a tag stands between < and > and has neither in it.
func replaceTags(w *watch, page string, with func(tag string) (string, bool)) string {
	var b strings.Builder
	b.Grow(len(page))
	for {
		open := strings.IndexByte(page, '<')
		if open < 0 || w.over(open+1) {
			break
		}
		end := strings.IndexAny(page[open+1:], "<>")
		if end < 0 {
			break
		}
		end += open + 1
		if page[end] == '>' {
			end++
			if text, meant := with(page[open:end]); meant {
				b.WriteString(page[:open] + text)
				page = page[end:]
				continue
			}
		}
		b.WriteString(page[:end])
		page = page[end:]
	}
	b.WriteString(page)
	return b.String()
}

// hrefOf is the address in a tag of a link.
var hrefOf = language.NewPattern(`(?i)\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)

// longestAddress bounds an address that is shown, in bytes. Longer ones are of no use to a reader.
const longestAddress = 500

// withAddresses writes the address of a link behind its text. One within the page, or that runs a script, is none.
func withAddresses(w *watch, page string) string {
	address := ""
	return replaceTags(w, page, func(tag string) (string, bool) {
		if strings.HasPrefix(tag, "</") {
			if !bounds(tag, linkNames) {
				return "", false
			}
			said := " "
			if address != "" {
				said = " (" + address + ") "
			}
			address = ""
			return said, true
		}
		if !opens(tag, linkNames) {
			return "", false
		}
		address = addressOf(tag)
		return " ", true
	})
}

// addressOf returns the address of a tag of a link; "" if it leads nowhere.
func addressOf(tag string) string {
	if len(tag) > 2*longestAddress {
		return ""
	}
	m := hrefOf.FindStringSubmatch(tag)
	if m == nil {
		return ""
	}
	address := strings.TrimSpace(m[1] + m[2] + m[3])
	for _, nowhere := range []string{"#", "javascript:", "data:"} {
		if len(address) >= len(nowhere) && strings.EqualFold(address[:len(nowhere)], nowhere) {
			return ""
		}
	}
	if len(address) > longestAddress {
		return ""
	}
	return address
}

// opens reports whether a tag opens an element of one of the names.
func opens(tag string, names []string) bool {
	name := tag[1 : len(tag)-1]
	if blank := strings.IndexAny(name, htmlSpace); blank >= 0 {
		name = name[:blank]
	}
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// bounds reports whether a tag opens or closes an element of one of the names, or does both.
func bounds(tag string, names []string) bool {
	body := strings.TrimPrefix(tag[1:len(tag)-1], "/")
	if !strings.ContainsAny(body, htmlSpace) {
		body = strings.TrimSuffix(body, "/")
	}
	return opens("<"+body+">", names)
}

// withoutDropped puts a blank in the place of comments, and of elements of which a reader sees nothing.
func withoutDropped(w *watch, page string) string {
	var b strings.Builder
	d := dropping{watch: w, page: page}
	from, at := 0, 0 // the beginning of the unwritten part, and of the unread one
	for {
		open := strings.IndexByte(page[at:], '<')
		if open < 0 || w.over(open+1) {
			break
		}
		open += at
		end := d.end(open)
		if at = max(end, open+1); end < 0 {
			continue
		}
		b.WriteString(page[from:open])
		b.WriteByte(' ')
		from = end
	}
	b.WriteString(page[from:])
	return b.String()
}

// dropping finds the end of a dropped element. An end that was looked for to the end of the page in vain is not looked for again.
type dropping struct {
	*watch
	page               string
	noComment, noClose bool
}

// end returns the place behind what is dropped from a < on; -1 if nothing is.
func (d *dropping) end(open int) int {
	rest := d.page[open+1:]
	if strings.HasPrefix(rest, "!--") {
		return d.commentEnd(open + len("<!--"))
	}
	for _, name := range droppedNames {
		if n := foldedPrefix(rest, name); n > 0 && (n == len(rest) || !wordByte(rest[n])) {
			return d.elementEnd(open + 1 + n)
		}
	}
	return -1
}

func (d *dropping) commentEnd(from int) int {
	end := -1
	if !d.noComment {
		end = strings.Index(d.page[from:], "-->")
	}
	if d.noComment = end < 0; d.noComment {
		return -1
	}
	return from + end + len("-->")
}

// elementEnd returns the place behind the first tag that closes any of the elements.
func (d *dropping) elementEnd(from int) int {
	for !d.noClose {
		next := strings.Index(d.page[from:], "</")
		if d.noClose = next < 0 || d.over(next+1); d.noClose {
			break
		}
		from += next + len("</")
		for _, name := range droppedNames {
			n := foldedPrefix(d.page[from:], name)
			if n == 0 {
				continue
			}
			if rest := strings.TrimLeft(d.page[from+n:], htmlSpace); strings.HasPrefix(rest, ">") {
				return len(d.page) - len(rest) + 1
			}
		}
	}
	return -1
}

// foldedPrefix returns the length of the name with which a text begins, in any case; 0 if it does not.
func foldedPrefix(text, name string) int {
	n := 0
	for i := range len(name) {
		_, size := utf8.DecodeRuneInString(text[n:])
		if !strings.EqualFold(text[n:n+size], name[i:i+1]) {
			return 0
		}
		n += size
	}
	return n
}

func wordByte(c byte) bool { return lower(c) || upper(c) || '0' <= c && c <= '9' || c == '_' }

func withoutEntities(w *watch, page string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(page, '&')
		if at < 0 || w.over(at+1) {
			break
		}
		b.WriteString(page[:at])
		written, meant := "&", "&"
		for _, e := range entities {
			if strings.HasPrefix(page[at:], e[0]) {
				written, meant = e[0], e[1]
			}
		}
		b.WriteString(meant)
		page = page[at+len(written):]
	}
	b.WriteString(page)
	return b.String()
}
