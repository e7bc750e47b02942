package artifacts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/fields"
	"github.com/ctx-mcp/ctx-mcp/artifacts/pattern"
)

// Bounds of one search, in bytes. The text beyond is reached with next_offset.
const (
	maxScan  = 256 << 20
	maxLine  = 64 << 10    // a longer line is taken as several
	maxSteps = 400_000_000 // of a pattern, in one search: bytes by what a byte may cost
	maxMatch = maxSteps / 10
)

// byPath selects a value and takes as much of its JSON as fits.
func (r *reading) byPath() error {
	raw, err := r.selected()
	if err != nil {
		return err
	}
	text := []byte(raw)
	if r.ask.Offset >= int64(len(text)) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the value ends before that: it has %d bytes", len(text))
	}
	size, start := int64(len(text)), r.ask.Offset
	text = text[start:]
	if r.ask.Limit > 0 && r.ask.Limit < int64(len(text)) {
		text = text[:r.ask.Limit]
	}
	skipped, text := whole(text)
	start += skipped
	text = text[:r.cut(text)]
	r.slice.Content, r.slice.Range = string(text), Range{Start: start, End: start + int64(len(text))}
	if next := r.slice.Range.End; next < size {
		r.slice.NextOffset = &next
	}
	return nil
}

// selected returns the JSON of the value at the path.
func (r *reading) selected() (json.RawMessage, error) {
	sel, err := fields.Parse(r.ask.Path)
	if err != nil {
		return nil, err
	}
	v, err := sel.Select(r.ctx, Document(r.ctx, r.slice.Artifact, r.blob))
	if err != nil {
		return nil, err
	}
	if v == nil {
		keys := r.slice.Artifact.SchemaKeys
		if len(keys) == 0 {
			return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "the path selects nothing").
				WithHint("no keys are known of this content (%s): read it by lines or by pattern", r.slice.Artifact.MediaType)
		}
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "the path selects nothing").WithHint("the keys at the top are: %s", strings.Join(keys, ", "))
	}
	return v.JSON, nil
}

// enterPath goes on with the text of the value at the path in the place of the artifact: that of a string, and the JSON of another value, a member
// a line.
func (r *reading) enterPath() error {
	raw, err := r.selected()
	if err != nil {
		return err
	}
	text := string(raw)
	var b bytes.Buffer
	switch {
	case raw[0] == '"':
		err = json.Unmarshal(raw, &text)
	case len(raw) <= mostLaidOut && depth(raw) <= deepest:
		err = json.Indent(&b, raw, "", "  ")
		text = b.String()
	}
	if err != nil {
		return err
	}
	r.blob = excerpt{strings.NewReader(text), text}
	r.slice.TotalLines, err = totalLines(r.blob)
	return err
}

// JSON that is longer or deeper stays on one line: the blanks before its members take many times its bytes.
const (
	mostLaidOut = 1 << 20 // bytes
	deepest     = 32
)

// depth returns how deep the values of JSON lie at most; a bracket within a string counts as well.
func depth(raw []byte) (most int) {
	now := 0
	for _, c := range raw {
		switch c {
		case '{', '[':
			now++
			most = max(most, now)
		case '}', ']':
			now--
		}
	}
	return most
}

// excerpt is a text as a Blob.
type excerpt struct {
	*strings.Reader
	text string
}

// Close implements Blob.
func (e excerpt) Close() error { return nil }

// LineFeeds implements Blob.
func (e excerpt) LineFeeds() int64 { return int64(strings.Count(e.text, "\n")) }

// LineStart implements Blob.
func (e excerpt) LineStart(line int64) (int64, error) {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(e.text[at:], '\n')
		if next < 0 {
			return int64(len(e.text)), nil
		}
		at += next + 1
	}
	return int64(at), nil
}

// LineAt implements Blob.
func (e excerpt) LineAt(offset int64) (int64, error) {
	return 1 + int64(strings.Count(e.text[:min(int(offset), len(e.text))], "\n")), nil
}

// Document returns the JSON of an artifact, read from its bytes as far as it is needed.
func Document(ctx context.Context, a ctxmcp.Artifact, b io.ReaderAt) fields.Document {
	d := func() io.Reader { return Within(ctx, io.NewSectionReader(b, 0, a.Size)) }
	if a.MediaType == JSONLines {
		return fields.Lines(d)
	}
	return d
}

// Within returns a reader that ends with the context.
func Within(ctx context.Context, r io.Reader) io.Reader { return contextReader{ctx, r} }

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// byPattern collects the matching lines of the stretch, with their neighbours, in the form of grep -n.
func (r *reading) byPattern(start, end int64) error {
	re, err := pattern.Compile(r.ask.Pattern)
	if err != nil {
		return err
	}
	number, err := r.blob.LineAt(start)
	if err != nil {
		return err
	}
	g := &grep{reading: r, re: re, pending: r.ask.ContextLines}
	// A piece is matched before the context is looked at again, so a costly pattern gets shorter ones.
	room, piece := min(end-start, maxScan, int64(maxSteps/re.Steps())), min(maxLine, maxMatch/re.Steps())
	in := bufio.NewReaderSize(Within(r.ctx, io.NewSectionReader(r.blob, start, room)), piece)
	at := start
	for {
		text, err := in.ReadSlice('\n')
		if len(text) > 0 {
			began := at
			at += int64(len(text))
			if !g.line(hit{number, began, at, bytes.TrimRight(text, "\r\n")}) {
				break
			}
			if text[len(text)-1] == '\n' {
				number++
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	if g.next == 0 && at < end { // the bound of one scan
		g.next = at
	}
	if g.next > 0 && g.next < r.blob.Size() {
		r.slice.NextOffset = &g.next
	}
	r.slice.Content = strings.TrimSuffix(g.out.String(), "\n")
	r.slice.Range = Range{Start: start, End: at}
	return r.numberLines()
}

// hit is one line on its way through grep.
type hit struct {
	number      int64
	offset, end int64
	text        []byte
}

// grep writes what matches until the tokens are used up.
type grep struct {
	*reading
	re      *pattern.Pattern
	pending int   // lines to hold back as context of a match that may come
	before  []hit // held back
	after   int   // lines still to write after a match
	last    int64 // number of the line written last
	out     strings.Builder
	used    int   // tokens of out, or a little more
	next    int64 // where to go on; 0: nowhere
}

// line takes the next line. It reports false when there is no room for more.
func (g *grep) line(h hit) bool {
	if g.re.Match(h.text) {
		for _, b := range g.before {
			if !g.write(b, '-', h.offset) {
				return false
			}
		}
		g.before, g.after = nil, g.pending
		if !g.write(h, ':', h.offset) {
			return false
		}
		g.slice.Matches = append(g.slice.Matches, Match{Line: h.number, Offset: h.offset})
		return true
	}
	if g.after > 0 {
		g.after--
		return g.write(h, '-', h.offset)
	}
	if g.pending > 0 {
		if len(g.before) == g.pending {
			g.before = g.before[1:]
		}
		g.before = append(g.before, hit{h.number, h.offset, h.end, bytes.Clone(h.text)})
	}
	return true
}

// write adds a line unless it is one too many; then the search goes on from the offset next time. The first line is
// cut rather than left out: the match is in the rest.
func (g *grep) write(h hit, mark byte, from int64) bool {
	text := fmt.Sprintf("%d%c%s\n", h.number, mark, bytes.ToValidUTF8(h.text, []byte("�")))
	if g.last > 0 && h.number > g.last+1 {
		text = "--\n" + text
	}
	cost := g.counter.Count(text)
	if g.used+cost > g.ask.MaxTokens {
		if g.out.Len() > 0 {
			g.next = from
			return false
		}
		text = fmt.Sprintf("%d%c%s", h.number, mark, g.around(h.text))
		short := text[:g.cut([]byte(text))]
		g.out.WriteString(strings.TrimRight(short, "\n"))
		g.next = h.end
		if mark == ':' {
			g.slice.Matches = append(g.slice.Matches, Match{Line: h.number, Offset: h.offset})
		}
		return false
	}
	g.out.WriteString(text)
	g.used, g.last = g.used+cost, h.number
	return true
}

// beforeMatch is how much of a line that has to be cut stands in front of what matches, in bytes.
const beforeMatch = 120

// around returns a line from a little before what matches in it, or all of it if nothing does.
func (g *grep) around(text []byte) []byte {
	clean := bytes.ToValidUTF8(text, []byte("�"))
	match := g.re.FindIndex(clean)
	if match == nil || match[0] <= beforeMatch {
		return clean
	}
	from := match[0] - beforeMatch
	for !utf8.RuneStart(clean[from]) {
		from++
	}
	return append([]byte("…"), clean[from:]...)
}
