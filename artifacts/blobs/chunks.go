package blobs

import (
	"bytes"
	"fmt"
	"io"
)

// Chunks is a content that is read and checked by the chunk.
type Chunks struct {
	Span   int64    // size of a chunk in bytes, but of the last
	Length int64    // of the content in bytes
	Feeds  []uint64 // line feeds of each chunk
	// Read returns the checked content of a chunk, valid until the next call.
	Read func(i int) ([]byte, error)
}

// Size returns the size of the content in bytes.
func (c Chunks) Size() int64 { return c.Length }

// ReadAt implements io.ReaderAt. It reads and checks the chunks that the stretch touches, and no others. It returns
// CodeUnavailable if one is damaged.
func (c Chunks) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 {
		return 0, fmt.Errorf("blobs: offset %d", at)
	}
	n := 0
	for n < len(p) && at < c.Length {
		content, err := c.Read(int(at / c.Span))
		if err != nil {
			return n, err
		}
		some := copy(p[n:], content[at%c.Span:])
		n, at = n+some, at+int64(some)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// LineFeeds returns the number of line feeds in the content.
func (c Chunks) LineFeeds() int64 {
	sum := uint64(0)
	for _, feeds := range c.Feeds {
		sum += feeds
	}
	return int64(sum)
}

// LineStart returns the offset at which the line begins, counted from 1, and the size for a line after the last. It reads
// one chunk.
func (c Chunks) LineStart(line int64) (int64, error) {
	if line <= 1 {
		return 0, nil
	}
	before := line - 1 // line feeds before it
	for i, feeds := range c.Feeds {
		if int64(feeds) < before {
			before -= int64(feeds)
			continue
		}
		content, err := c.Read(i)
		if err != nil {
			return 0, err
		}
		at := 0
		for ; before > 0; before-- {
			at += bytes.IndexByte(content[at:], '\n') + 1
		}
		return int64(i)*c.Span + int64(at), nil
	}
	return c.Length, nil
}

// LineAt returns the number of the line, from 1, in which the byte at the offset lies. It reads one chunk.
func (c Chunks) LineAt(offset int64) (int64, error) {
	line := int64(1)
	last := int(min(offset, c.Length) / c.Span)
	for _, feeds := range c.Feeds[:min(last, len(c.Feeds))] {
		line += int64(feeds)
	}
	if last >= len(c.Feeds) {
		return line, nil
	}
	content, err := c.Read(last)
	if err != nil {
		return 0, err
	}
	within := min(offset-int64(last)*c.Span, int64(len(content)))
	return line + int64(bytes.Count(content[:within], []byte{'\n'})), nil
}
