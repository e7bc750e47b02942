package redact

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
)

// A Hit is one secret in a text, without its value.
type Hit struct {
	Label       string `json:"label"`
	Fingerprint string `json:"fingerprint,omitempty"` // empty: it carries none
	Line        int    `json:"line"`                  // on which it begins, from 1
	Offset      int    `json:"offset"`                // bytes before it
}

// Scan reads text of any length and tells found of every secret that Copy would replace, in the order of the text; it
// holds about a megabyte. It returns the first error of reading or of ctx, after it has told of the secrets before that.
func (r *Redactor) Scan(ctx context.Context, src io.Reader, found func(Hit)) error {
	w := r.Writer(ctx, io.Discard)
	w.pieces.tally.places = &places{tell: found}
	return w.readFrom(src)
}

// places knows where the secrets of a text stood before placeholders took their place.
type places struct {
	tell   func(Hit)
	lines  int    // line breaks before the piece at hand
	offset int    // bytes before it
	moved  []move // in the piece, in order
	hits   []Hit  // of the piece
}

// A move is a placeholder, by where it stands now, with the line breaks and the bytes that the text had more before.
type move struct{ at, lines, bytes int }

// note takes down the changes that replace makes in s: written has the places of the placeholders in its result.
func (p *places) note(s string, spans []span, written []stretch, marks []string) {
	c := cursor{lines: p.lines, bytes: p.offset, rest: p.moved}
	var moved []move
	shift := 0
	for i, sp := range spans {
		moved = append(moved, shifted(c.to(s, sp.start), shift)...)
		lines, offset := c.lines, c.bytes+sp.start
		p.hits = append(p.hits, Hit{sp.label, marks[i], lines + 1, offset})
		c.to(s, sp.end)
		now := written[i].end - written[i].start + 2*len(sp.quote)
		moved = append(moved, move{written[i].start, c.lines - lines, c.bytes + sp.end - offset - now})
		shift = written[i].end + len(sp.quote) - sp.end
	}
	p.moved = append(moved, shifted(c.to(s, len(s)), shift)...)
}

func shifted(moves []move, by int) []move {
	for i := range moves {
		moves[i].at += by
	}
	return moves
}

// A cursor goes through a redacted text and knows the place in the original: the line breaks before it, and the bytes to add.
type cursor struct {
	at, lines, bytes int
	rest             []move
}

// to goes on to a place, and returns the moves before it.
func (c *cursor) to(s string, at int) []move {
	c.lines += strings.Count(s[c.at:at], "\n")
	c.at = at
	n := 0
	for ; n < len(c.rest) && c.rest[n].at < at; n++ {
		c.lines, c.bytes = c.lines+c.rest[n].lines, c.bytes+c.rest[n].bytes
	}
	passed := c.rest[:n]
	c.rest = c.rest[n:]
	return passed
}

// end tells of the hits of the piece, whose text was this.
func (p *places) end(text string) {
	slices.SortStableFunc(p.hits, func(a, b Hit) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, h := range p.hits {
		p.tell(h)
	}
	p.lines, p.offset = p.lines+strings.Count(text, "\n"), p.offset+len(text)
	p.moved, p.hits = nil, p.hits[:0]
}
