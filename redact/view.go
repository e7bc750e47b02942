package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A stretch is a part of a text.
type stretch struct{ start, end int }

const (
	viewMargin = 192  // bytes around an escape that are decoded with it: the key before a value, the value after a key
	maxBack    = 64   // more bytes before, in search of the end of a word
	maxValue   = 4096 // more bytes after, in search of the end of a value
)

// escapes lead to text that has to be decoded before anything else can read it. The detector finds no secret itself:
// it decodes the text around the escapes, one level, and scans that again.
var escapes = detector{
	Doc: "Secrets behind escapes: \\u0041 and \\x41 of ASCII, \\/ of JSON, %41 of URLs, &amp; of HTML; and behind characters " +
		"that show nothing, or a letter in another width.",
	Anchors: append([]string{`\x`, `\/`, "%", "&#", "&quot;", "&amp;", "&lt;", "&gt;"}, unseenAnchors...),
	at:      escapeAt,
	finish:  func(t *scan) { t.decodeStretch() },
}

// escapeAt widens the stretch to decode by the escape, and decodes the one before if this one stands apart.
func escapeAt(t *scan, i, _ int) int {
	if t.depth >= maxDepth {
		return i + 1
	}
	if _, n := unescape(t.s, i); n == 0 {
		if r, n := runeEscape(t.s, i); n == 0 || !unicode.IsLetter(r) {
			return i + 1
		}
	}
	t.decode(i-viewMargin, i+viewMargin)
	return i + 1
}

// decode widens the stretch to decode so that it reaches from start to end. If it ends before, it is decoded first.
func (t *scan) decode(start, end int) {
	if t.wide.end > 0 && start > t.wide.end {
		t.decodeStretch()
	}
	if t.wide.end == 0 {
		t.wide.start = wordEdge(t.s, max(0, start))
	}
	if end = min(len(t.s), end); end > t.wide.end {
		t.wide.end = urlBytes.run(t.s, end, end+maxValue)
	}
}

// decodeStretch scans the decoded text of the stretch.
func (t *scan) decodeStretch() {
	if t.wide.end == 0 {
		return
	}
	from, to := t.wide.start, t.wide.end
	t.wide = stretch{}
	text := make([]byte, 0, to-from)
	at := make([]int32, 0, to-from+1) // half as large as with int: it has a place for each byte
	for i := from; i < to; {
		b, n := unescape(t.s, i)
		switch {
		case n > 0 && b == unseen:
		case n > 0:
			text = append(text, b)
		default:
			text, n = appendLetter(text, t.s, i)
		}
		for len(at) < len(text) {
			at = append(at, int32(i))
		}
		i += n
	}
	at = append(at, int32(to))
	t.view(string(text), func(start, end int) stretch { return stretch{int(at[start]), int(at[end])} })
}

// appendLetter appends the character beyond ASCII whose escape in JSON stands at i, or the byte there, and returns the
// length of the escape.
func appendLetter(text []byte, s string, i int) ([]byte, int) {
	if r, n := runeEscape(s, i); n > 0 {
		return utf8.AppendRune(text, r), n
	}
	return append(text, s[i]), 1
}

// view scans decoded text and notes its secrets at the places in the original text, which raw returns.
func (t *scan) view(text string, raw func(start, end int) stretch) { t.viewIn(text, utf8Width, raw) }

// viewIn is view of a text whose characters have that width where they stand.
func (t *scan) viewIn(text string, order width, raw func(start, end int) stretch) {
	marks := placeholders(text)
	for _, sp := range t.engine.spans(t.ctx, text, t.depth+1) {
		sp, ok := around(sp, marks)
		if !ok {
			continue
		}
		at := raw(sp.start, sp.end)
		t.add(span{start: at.start, end: at.end, label: sp.label, rank: sp.rank, width: order})
	}
}

// wordEdge moves i forward to a place that cuts no word.
func wordEdge(s string, i int) int {
	for limit := min(len(s), i+maxBack); i > 0 && i < limit && wordBytes[s[i]] && wordBytes[s[i-1]]; {
		i++
	}
	return i
}

// unescape returns the byte for which the escape at i stands, and its length; 0 if none begins there. A character that
// shows nothing stands for unseen. Other characters beyond ASCII are no byte: appendLetter reads their escapes.
func unescape(s string, i int) (b byte, n int) {
	if !hides[s[i]] {
		return 0, 0
	}
	if b, n := plainRune(s, i); n > 0 {
		return b, n
	}
	switch {
	case s[i] == '%':
		return hexByte(s, i, 1)
	case s[i] == '&':
		return entity(s, i)
	case s[i] != '\\' || i+1 >= len(s):
		return 0, 0
	}
	switch c := s[i+1]; c {
	case 'u':
		if i+4 < len(s) && s[i+2:i+4] == "00" {
			return hexByte(s, i, 4)
		}
	case 'x':
		return hexByte(s, i, 2)
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case '\\', '/', '"', '\'':
		return c, 2
	}
	return 0, 0
}

// hides are the bytes with which an escape begins, or a character beyond ASCII.
var hides = classOf("%&\\\x80-\xff")

// hexValues are the values of hexadecimal digits, by their sign; other signs have more.
var hexValues = func() (values [256]byte) {
	for c := range values {
		values[c] = 0xff
		if n := strings.IndexByte("0123456789abcdef", byte(c)|0x20); n >= 0 && c >= '0' {
			values[c] = byte(n)
		}
	}
	return values
}()

// hexByte reads the two hexadecimal digits skip bytes after i, and returns the length of all. It reads ASCII only.
func hexByte(s string, i, skip int) (b byte, n int) {
	if i+skip+2 > len(s) {
		return 0, 0
	}
	high, low := hexValues[s[i+skip]], hexValues[s[i+skip+1]]
	if high >= 8 || low >= 16 {
		return 0, 0
	}
	return high<<4 | low, skip + 2
}

// entities are those of HTML that stand for signs of ASCII.
var entities = []struct {
	text string
	b    byte
}{{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&#39;", '\''}, {"&#34;", '"'}, {"&#x27;", '\''}}

// entity reads the entity of HTML at i.
func entity(s string, i int) (b byte, n int) {
	e := slices.IndexFunc(entities[:], func(e struct {
		text string
		b    byte
	}) bool {
		return len(s)-i >= len(e.text) && s[i:i+len(e.text)] == e.text
	})
	if e < 0 {
		return 0, 0
	}
	return entities[e].b, len(entities[e].text)
}
