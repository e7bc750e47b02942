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
	lineReach = 64 << 10 // bytes before the end of a piece in which a line may end
)

// Copy reads text of any length from src and writes it to dst, redacted; it holds about a megabyte. Text of the same
// bytes gives the same result. It returns what was replaced, and the first error of reading, of writing or of ctx; what
// was not looked at has not been written then. A secret that is longer than a megabyte leaves several placeholders.
func (r *Redactor) Copy(ctx context.Context, dst io.Writer, src io.Reader) ([]Finding, error) {
	w := r.Writer(dst)
	buf := make([]byte, 64<<10)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := src.Read(buf)
		if _, failed := w.Write(buf[:n]); failed != nil {
			return nil, failed
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the text to redact: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return w.Findings(), nil
}

// long is Text for a text that is redacted in pieces.
func (r *Redactor) long(s string) (string, []Finding) {
	var b strings.Builder
	b.Grow(len(s))
	w := r.Writer(&b)
	for len(s) > 0 { // a piece at a time, so that s is not copied whole
		n := min(len(s), pieceSize)
		_, _ = io.WriteString(w, s[:n]) // a Builder takes everything
		s = s[n:]
	}
	_ = w.Close()
	return b.String(), w.Findings()
}

// A Writer redacts what is written to it. It is for one goroutine.
type Writer struct {
	r     *Redactor
	dst   io.Writer
	buf   []byte // what was read before, then what is to be written
	from  int    // how much of buf has been written
	begun bool   // something has been
	doc   walker // of JSON, at from
	tally tally
	err   error
}

// Writer returns a writer that writes to dst what is written to it, redacted. The last of it is written by Close.
func (r *Redactor) Writer(dst io.Writer) *Writer { return &Writer{r: r, dst: dst} }

// Write takes text. After an error it takes nothing more.
func (w *Writer) Write(p []byte) (int, error) {
	n := len(p)
	for w.err == nil && len(p) > 0 {
		take := min(len(p), w.from+maxWhole+1-len(w.buf))
		w.buf = append(w.buf, p[:take]...)
		p = p[take:]
		if len(w.buf) > w.from+maxWhole {
			w.piece(false)
		}
	}
	if w.err != nil {
		return 0, w.err
	}
	return n, nil
}

// Close writes the rest. It does not close what is written to.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	w.piece(true)
	err := w.err
	if err == nil {
		w.err = errors.New("the writer is closed")
	}
	return err
}

// Findings returns what has been replaced so far, sorted by label.
func (w *Writer) Findings() []Finding { return w.tally.findings() }

// piece writes the next piece of the buffer, or all of it at the end.
func (w *Writer) piece(last bool) {
	s := string(w.buf)
	if last && !w.begun {
		w.write(w.r.whole(s, &w.tally))
		w.buf = nil
		return
	}
	if !w.begun {
		w.doc = walker{valid: beginsJSON(s)}
	}
	spans := w.r.find(s, []stretch{{0, len(s)}}, nil)
	cut := len(s)
	if !last {
		cut = w.cut(s, spans)
	}
	w.emit(s[:cut], spans)
	keep := max(0, cut-lookBack)
	w.buf = append(w.buf[:0], s[keep:]...)
	w.from, w.begun = cut-keep, true
}

// emit writes s from w.from on, with the spans replaced that lie there.
func (w *Writer) emit(s string, spans []span) {
	doc := w.doc
	w.doc.lex(s[w.from:])
	doc.valid = w.doc.valid
	var inside []span
	for _, sp := range spans {
		sp.start, sp.end = max(sp.start, w.from)-w.from, min(sp.end, len(s))-w.from
		if sp.start < sp.end {
			inside = append(inside, sp)
		}
	}
	text := s[w.from:]
	inside = fitJSON(text, inside, &doc)
	if len(inside) == 0 {
		w.write(text)
		return
	}
	text, written := w.r.replace(text, inside, &w.tally)
	w.write(w.r.settle(text, written, &doc, &w.tally))
}

func (w *Writer) write(text string) {
	if _, err := io.WriteString(w.dst, text); err != nil {
		w.err = fmt.Errorf("write redacted text: %w", err)
	}
}

// cut returns where the piece ends: after a line if one ends near, else between words; before a secret that does not end
// in it, unless the secret fills the piece.
func (w *Writer) cut(s string, spans []span) int {
	end := w.from + pieceSize
	head := s[w.from:end]
	if n := strings.LastIndexByte(head[len(head)-lineReach:], '\n'); n >= 0 {
		end -= lineReach - n - 1
	} else if n := strings.LastIndexAny(head[len(head)-lineReach:], " ,;"); n >= 0 {
		end -= lineReach - n - 1
	} else {
		for !utf8.RuneStart(s[end]) || s[end-1] == '\\' {
			end--
		}
	}
	for _, sp := range spans {
		if sp.start < end && end < sp.end && sp.start > w.from {
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

// lex walks over the text: it notes whether its end lies in a string, and whether it can be JSON at all.
func (w *walker) lex(text string) {
	for i := 0; i < len(text) && w.valid; i++ {
		switch c := text[i]; {
		case w.inString && c == '\\':
			i++
		case c == '"':
			w.inString = !w.inString
		case w.inString:
			n := strings.IndexAny(text[i:], "\"\\")
			if n < 0 {
				return
			}
			i += n - 1
		case !bareDocument[c]:
			w.valid = false
		}
	}
}
