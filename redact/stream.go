package redact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Text that is longer than maxWhole is redacted in pieces, which depend on the text alone: not on how it arrives.
const (
	pieceSize = 1 << 20   // bytes that are written at a time
	lookBack  = 4 << 10   // bytes before them that are read again
	lookAhead = 128 << 10 // bytes after them that are read
	maxWhole  = pieceSize + lookAhead
	maxEscape = 16       // bytes of an escape or a character, which no piece parts
	lineReach = 64 << 10 // bytes before the end of a piece in which a line may end
)

// Copy reads text of any length from src and writes it to dst, redacted; it holds about a megabyte. Text of the same
// bytes gives the same result. It returns the findings, and the first error of reading, of writing or of ctx; text that
// was not looked at has not been written then. A secret that is longer than a megabyte leaves several placeholders.
func (r *Redactor) Copy(ctx context.Context, dst io.Writer, src io.Reader) ([]Finding, error) {
	w := r.Writer(ctx, dst)
	if err := w.readFrom(src); err != nil {
		return nil, err
	}
	return w.Findings(), nil
}

// readFrom writes all of src, and closes the writer.
func (w *Writer) readFrom(src io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		if err := ended(w.ctx); err != nil {
			return err
		}
		n, err := src.Read(buf)
		if _, failed := w.Write(buf[:n]); failed != nil {
			return failed
		}
		if errors.Is(err, io.EOF) {
			return w.Close()
		}
		if err != nil {
			return fmt.Errorf("read the text to redact: %w", err)
		}
	}
}

// long is Text for a text that is redacted in pieces.
func (r *Redactor) long(ctx context.Context, s string) (string, []Finding) {
	var b strings.Builder
	b.Grow(len(s) + len(s)/16)
	p := pieces{r: r}
	for from := 0; from < len(s) && ctx.Err() == nil; {
		back := max(0, from-lookBack)
		text, n := p.next(ctx, s[back:min(len(s), from+maxWhole+1)], from-back)
		b.WriteString(text)
		from += n
	}
	return b.String(), p.tally.findings()
}

// A Writer redacts the text that is written to it. It is for one goroutine.
type Writer struct {
	ctx    context.Context // of the call that writes
	dst    io.Writer
	pieces pieces
	buf    []byte // the text before the piece, then the text to write
	from   int    // how much of buf has been written
	err    error
}

// Writer returns a writer that redacts text and writes it to dst, until ctx ends. The end of the text is written by
// Close.
func (r *Redactor) Writer(ctx context.Context, dst io.Writer) *Writer {
	return &Writer{ctx: ctx, dst: dst, pieces: pieces{r: r}}
}

// Write takes text. After an error it takes nothing more.
func (w *Writer) Write(p []byte) (int, error) {
	n := len(p)
	for w.err == nil && len(p) > 0 {
		take := min(len(p), w.from+maxWhole+1-len(w.buf))
		w.buf = append(w.buf, p[:take]...)
		p = p[take:]
		if len(w.buf) > w.from+maxWhole {
			w.flush()
		}
	}
	if w.err != nil {
		return 0, w.err
	}
	return n, nil
}

// Close writes the rest. It does not close the writer below.
func (w *Writer) Close() error {
	for w.err == nil && w.from < len(w.buf) {
		w.flush()
	}
	if w.err != nil {
		return w.err
	}
	w.err = errors.New("the writer is closed")
	return nil
}

// Findings returns the findings so far, sorted by label.
func (w *Writer) Findings() []Finding { return w.pieces.tally.findings() }

// flush writes the next piece of the buffer.
func (w *Writer) flush() {
	s := string(w.buf)
	text, n, err := w.next(s)
	if err != nil {
		w.err = err
		return
	}
	if at := w.pieces.tally.places; at != nil {
		at.end(s[w.from : w.from+n])
	}
	if _, err := io.WriteString(w.dst, text); err != nil {
		w.err = fmt.Errorf("write redacted text: %w", err)
	}
	keep := max(0, w.from+n-lookBack)
	w.buf = append(w.buf[:0], s[keep:]...)
	w.from += n - keep
}

// next returns the next piece of s, redacted, or the failure of a detector, or of the context, as an error.
func (w *Writer) next(s string) (text string, n int, err error) {
	defer contain(&err)
	text, n = w.pieces.next(w.ctx, s, w.from)
	return text, n, ended(w.ctx)
}

// pieces redacts a text piece by piece.
type pieces struct {
	r     *Redactor
	begun bool   // a piece has been redacted
	doc   walker // of JSON, at the next piece
	tally tally
}

// next returns the next piece, redacted, and its length before. It begins at from in s, which also holds some text
// before it and, unless the text ends sooner, more than maxWhole bytes after.
func (p *pieces) next(ctx context.Context, s string, from int) (text string, n int) {
	last := len(s)-from <= maxWhole
	if last && !p.begun {
		return p.r.whole(ctx, s, &p.tally), len(s)
	}
	if !p.begun {
		p.doc.valid = beginsJSON(s)
	}
	p.begun = true
	spans := p.r.find(ctx, s, []stretch{{0, len(s)}}, nil)
	end := len(s)
	if !last {
		end = pieceEnd(s, from, spans)
	}
	return p.redact(ctx, s[from:end], from, spans), end - from
}

// redact returns the text, which begins at from, with those of the spans replaced that lie in it.
func (p *pieces) redact(ctx context.Context, text string, from int, spans []span) string {
	doc := p.doc
	p.doc.lex(text)
	doc.valid = p.doc.valid
	inside := spans[:0]
	for _, sp := range spans {
		sp.start, sp.end = max(sp.start-from, 0), min(sp.end-from, len(text))
		if sp.start < sp.end {
			inside = append(inside, sp)
		}
	}
	inside = fitJSON(text, inside, &doc)
	if len(inside) == 0 {
		return text
	}
	text, written := p.r.replace(text, inside, &p.tally)
	return p.r.settle(ctx, text, written, &doc, &p.tally)
}

// pieceEnd returns where the piece ends that begins at from: after a line if one ends near, else between words; before
// a secret that does not end in it, unless the secret fills the piece.
func pieceEnd(s string, from int, spans []span) int {
	end := from + pieceSize
	tail := s[end-lineReach : end]
	if n := strings.LastIndexByte(tail, '\n'); n >= 0 {
		end -= lineReach - n - 1
	} else if n := strings.LastIndexAny(tail, " ,;"); n >= 0 {
		end -= lineReach - n - 1
	} else {
		for least := end - maxEscape; end > least && (!utf8.RuneStart(s[end]) || s[end-1] == '\\'); {
			end--
		}
	}
	for _, sp := range spans {
		if sp.start < end && end < sp.end && sp.start > from {
			return sp.start
		}
	}
	return end
}

// beginsJSON reports whether the document can be JSON by its first sign.
func beginsJSON(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	return s != "" && strings.IndexByte("{[\"", s[0]) >= 0
}

// bareDocument are the bytes of JSON outside of strings.
var bareDocument = classOf("{}[],:0-9+.eE \t\r\ntruefalsn-")

// plainJSON are the bytes of a string of JSON that end no part of it.
var plainJSON = classOf("\x00-!#-[]-\xff")

// lex walks over the text: it notes whether its end lies in a string, and whether it can be JSON at all.
func (w *walker) lex(text string) {
	for i := 0; i < len(text) && w.valid; i++ {
		switch c := text[i]; {
		case w.inString && c == '\\':
			i++
		case c == '"':
			w.inString = !w.inString
		case w.inString:
			i = plainJSON.run(text, i, len(text)) - 1
		case !bareDocument[c]:
			w.valid = false
		}
	}
}
