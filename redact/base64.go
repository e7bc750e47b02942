package redact

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

const (
	minRun    = 20 // bytes of base64 or hexadecimal digits that may hold a secret and the key before it
	runStride = 20 // every so manieth byte is enough to see a run
	lookRun   = 64 // bytes of a run that are decoded to see whether it is text
	minLine   = 40 // bytes of a line of a run that goes on in the next
)

// encoded decodes the runs of base64 and of hexadecimal digits, and scans those that are text.
func (t *scan) encoded() {
	if t.depth >= maxDepth {
		return
	}
	s, read, look := t.s, 0, 0
	for i := runStride - 1; i < len(s); i += runStride {
		if i >= look {
			if look = i + lookEvery; t.ended() {
				return
			}
		}
		if i+runStride/2 < len(s) && ofRuns[s[i]]&(ofRuns[s[i-3]]&ofRuns[s[i-6]]&ofRuns[s[i-10]]|ofRuns[s[i+3]]&ofRuns[s[i+6]]&ofRuns[s[i+10]]) == 0 || !runBytes[s[i]] {
			continue
		}
		start := i
		for start > read && runBytes[s[start-1]] {
			start--
		}
		end := runBytes.run(s, i, len(s))
		if end-start >= minRun {
			end = t.decodeRun(escaped(s, start), end)
		}
		read = end
		i = max(i, end-runStride)
	}
}

var runBytes = classOf("A-Za-z0-9+/_-")

// ofRuns holds 1 for each of runBytes. A run of the least length reaches ten bytes to one side of a byte in it: to look at some of them
// needs no branch, unlike the search for its ends.
var ofRuns = func() (table [256]byte) {
	for b := range table {
		if runBytes[b] {
			table[b] = 1
		}
	}
	return table
}()

// decodeRun scans the run from start to end, and returns where it ended, lines after the first included.
func (t *scan) decodeRun(start, end int) int {
	if digits := hexDigits.run(t.s, start, end); digits == end && (end-start)%2 == 0 {
		if text, ok := hexText(t.s[start:end]); ok {
			t.view(text, func(a, b int) stretch { return stretch{start + 2*a, start + 2*b} })
			return end
		}
	}
	if !textual(decode64(t.s[start:min(end, start+lookRun)])) {
		return end
	}
	lines := runLines(t.s, start, end)
	end = lines[len(lines)-1].end
	if text := decode64(joinLines(t.s, lines)); textual(text) {
		t.view(text, func(a, b int) stretch { return stretch{place(lines, a*4/3), place(lines, (b*4+2)/3-1) + 1} })
	}
	return end
}

// hexText returns the decoded digits, if they are text.
func hexText(run string) (string, bool) {
	head, err := hex.DecodeString(run[:min(len(run), lookRun)])
	if err != nil || !textual(string(head)) {
		return "", false
	}
	text, err := hex.DecodeString(run)
	return string(text), err == nil
}

// decode64 returns the text for which the run stands, in either alphabet, as far as whole bytes go; nothing, if a sign of it
// is of neither.
func decode64(run string) string {
	text := make([]byte, 0, len(run)*3/4)
	held, size := uint32(0), 0
	for i := range len(run) {
		v := values64[run[i]]
		if v > 63 {
			return ""
		}
		held, size = held<<6|uint32(v), size+6
		if size >= 8 {
			size -= 8
			text = append(text, byte(held>>size))
		}
	}
	return string(text)
}

// values64 are the values of the signs of base64, of both alphabets; other bytes have more than 63.
var values64 = func() (values [256]byte) {
	for b := range values {
		values[b] = 0xff
	}
	for v := range 64 {
		values[base64Signs[v]] = byte(v)
	}
	values['-'], values['_'] = values['+'], values['/']
	return values
}()

const base64Signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// textual reports whether the bytes can be text: hardly any that are no signs of ASCII, unless all are of characters, and
// none but those of line ends that control.
func textual(text string) bool {
	strange := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0x80:
			strange++
		case c < ' ' && c != '\n' && c != '\r' && c != '\t':
			return false
		}
	}
	return len(text) > 0 && (strange*8 <= len(text) || utf8.ValidString(whole(text)))
}

// whole returns the text without the beginning of a character at its end.
func whole(text string) string {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if utf8.RuneStart(text[len(text)-n]) {
			if !utf8.FullRuneInString(text[len(text)-n:]) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}

// runLines returns the run and its continuation over line breaks, escaped or not.
func runLines(s string, start, end int) []stretch {
	lines := []stretch{{start, end}}
	for end-start >= minLine && (end-start)%4 == 0 {
		n := breakLen(s, end)
		if n == 0 {
			break
		}
		start = blanks.run(s, end+n, end+n+maxBlanks)
		if end = runBytes.run(s, start, len(s)); end == start {
			break
		}
		lines = append(lines, stretch{start, end})
	}
	return lines
}

// joinLines returns the lines as one.
func joinLines(s string, lines []stretch) string {
	if len(lines) == 1 {
		return s[lines[0].start:lines[0].end]
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(s[l.start:l.end])
	}
	return b.String()
}

// place returns where the nth byte of the joined lines stands.
func place(lines []stretch, n int) int {
	for _, l := range lines {
		if n < l.end-l.start {
			return l.start + n
		}
		n -= l.end - l.start
	}
	return lines[len(lines)-1].end - 1
}
