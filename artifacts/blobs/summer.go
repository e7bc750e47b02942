package blobs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// chunkSize is how much of the content is checked at a time, in bytes. It is part of the format.
const chunkSize = 1 << 20

// The parts of a file after its content.
const (
	entrySize  = sha256.Size + 8 // of a chunk: its digest, its line feeds
	footerSize = 8 + sha256.Size + 8
	magic      = "ctxblob1"
	magicNamed = "ctxblob2" // of a content under a name that is not its digest
)

// chunk is the sum and the line count of a stretch of chunkSize bytes, the last of them shorter.
type chunk struct {
	sum   [sha256.Size]byte
	lines uint64 // line feeds
}

// summer writes a file: the content as it comes, and at the end the sums that guard it.
type summer struct {
	w      io.Writer
	name   string // in place of the digest; empty: the digest
	whole  hash.Hash
	part   hash.Hash // of the chunk that has begun
	filled int       // bytes of it
	lines  uint64
	chunks []chunk
	size   int64
	err    error
}

func newSummer(w io.Writer, name string) *summer {
	return &summer{w: w, name: name, whole: sha256.New(), part: sha256.New()}
}

// Write implements io.Writer.
func (s *summer) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.size += int64(n)
	s.whole.Write(p[:n])
	for rest := p[:n]; len(rest) > 0; {
		some := rest[:min(len(rest), chunkSize-s.filled)]
		s.part.Write(some)
		s.lines += uint64(bytes.Count(some, []byte{'\n'}))
		if s.filled += len(some); s.filled == chunkSize {
			s.endChunk()
		}
		rest = rest[len(some):]
	}
	return n, err
}

func (s *summer) endChunk() {
	c := chunk{lines: s.lines}
	s.part.Sum(c.sum[:0])
	s.chunks = append(s.chunks, c)
	s.part.Reset()
	s.filled, s.lines = 0, 0
}

// finish writes the sums behind the content and returns its digest, or the name that it has in place of that. A failure is in s.err.
func (s *summer) finish() string {
	if s.filled > 0 {
		s.endChunk()
	}
	digest := hex.EncodeToString(s.whole.Sum(nil))
	_, s.err = s.w.Write(s.tail(digest))
	return cmp.Or(s.name, digest)
}

// Sums are the name of a content, its size in bytes, and the bytes that follow it in a file.
type Sums struct {
	Name string
	Size int64
	Tail []byte
}

// Sum reads a content to its end. The name takes the place of its digest; empty: it is the digest.
func Sum(r io.Reader, name string) (Sums, error) {
	w := newSummer(io.Discard, name)
	if _, err := io.Copy(w, r); err != nil {
		return Sums{}, err
	}
	name = w.finish()
	return Sums{Name: name, Size: w.size, Tail: w.tail(name)}, nil
}

// Content can be read from its beginning, and again anywhere.
type Content interface {
	io.Reader
	io.ReaderAt
}

// Twice returns the bytes of a reader as a Content: the reader itself if it is one, else all of it in memory. It returns the error of the
// context once that ends.
func Twice(ctx context.Context, r io.Reader) (Content, error) {
	if content, is := r.(Content); is {
		return content, nil
	}
	all, err := io.ReadAll(artifacts.Within(ctx, r))
	return bytes.NewReader(all), err
}

// tail returns the table of the chunks and the footer of a content with the digest.
func (s *summer) tail(digest string) []byte {
	kind := magic
	if s.name != "" {
		kind, digest = magicNamed, s.name
	}
	var out []byte
	for _, c := range s.chunks {
		out = append(out, c.sum[:]...)
		out = binary.BigEndian.AppendUint64(out, c.lines)
	}
	guard := guardOf(digest, s.size, out)
	out = binary.BigEndian.AppendUint64(out, uint64(s.size))
	out = append(out, guard[:]...)
	return append(out, kind...)
}

// guardOf binds a table to the content that it belongs to.
func guardOf(d string, size int64, table []byte) [sha256.Size]byte {
	bound := append([]byte(d), binary.BigEndian.AppendUint64(nil, uint64(size))...)
	return sha256.Sum256(append(bound, table...))
}
