package blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// Source is a blob's file, wherever it lies. A ReadAt that gives all bytes that were asked for returns no error, or io.EOF.
type Source interface {
	io.ReaderAt
	io.Closer
}

// Reader reads a blob. Every byte that it gives has been checked. It is not safe for concurrent use.
type Reader struct {
	digest string
	file   Source
	length int64 // of the file
	size   int64 // of the content
	chunks []chunk
	held   int    // the chunk in buffer; -1: none
	buffer []byte // content of it, checked
}

// Open implements artifacts.Blobs. It opens a blob for reading; it returns CodeNotFound if there is none, CodeUnavailable if
// it is damaged.
func (s *Store) Open(_ context.Context, d string) (artifacts.Blob, error) {
	r, err := s.open(d)
	if err != nil {
		return nil, err // not a nil *Reader, which is no nil Blob
	}
	return r, nil
}

func (s *Store) open(d string) (*Reader, error) {
	if !digestForm.MatchString(d) {
		return nil, NotThere(d)
	}
	f, err := os.Open(s.path(d))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, NotThere(d)
	}
	if err != nil {
		return nil, failed("read", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(failed("read", err), f.Close())
	}
	return NewReader(d, f, info.Size())
}

// NewReader returns the reader of a digest's file, which has length bytes, and closes the file with it, or at once if it fails. It returns CodeUnavailable
// if the file is damaged. Errors of the file that have no code are told as those of a folder.
func NewReader(digest string, file Source, length int64) (*Reader, error) {
	r := &Reader{digest: digest, file: file, length: length, held: -1}
	if err := r.readTail(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return r, nil
}

// readTail reads the footer and the table, and checks them.
func (r *Reader) readTail() error {
	if r.length < footerSize {
		return damaged(r.digest, "it is cut off")
	}
	footer := make([]byte, footerSize)
	if err := r.read(footer, r.length-footerSize); err != nil {
		return err
	}
	r.size = int64(binary.BigEndian.Uint64(footer))
	count := (r.size + chunkSize - 1) / chunkSize
	if string(footer[footerSize-len(magic):]) != magic || r.size < 0 || r.size+count*entrySize+footerSize != r.length {
		return damaged(r.digest, "its footer does not fit")
	}
	table := make([]byte, count*entrySize)
	if err := r.read(table, r.size); err != nil {
		return err
	}
	if guard := guardOf(r.digest, r.size, table); !bytes.Equal(guard[:], footer[8:8+sha256.Size]) {
		return damaged(r.digest, "its table does not fit")
	}
	for ; len(table) > 0; table = table[entrySize:] {
		c := chunk{lines: binary.BigEndian.Uint64(table[sha256.Size:])}
		copy(c.sum[:], table)
		r.chunks = append(r.chunks, c)
	}
	return nil
}

// read fills p from an offset of the file.
func (r *Reader) read(p []byte, at int64) error {
	n, err := r.file.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	return failed("read", err)
}

// Size returns the size of the content in bytes.
func (r *Reader) Size() int64 { return r.size }

// Close ends the reading.
func (r *Reader) Close() error { return r.file.Close() }

// ReadAt implements io.ReaderAt. It reads and checks the chunks that the stretch touches, and no others. It returns
// CodeUnavailable if one is damaged.
func (r *Reader) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 {
		return 0, fmt.Errorf("blobs: offset %d", at)
	}
	n := 0
	for n < len(p) && at < r.size {
		content, err := r.chunk(int(at / chunkSize))
		if err != nil {
			return n, err
		}
		some := copy(p[n:], content[at%chunkSize:])
		n, at = n+some, at+int64(some)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// chunk returns the checked content of a chunk, valid until the next call.
func (r *Reader) chunk(i int) ([]byte, error) {
	if r.held == i {
		return r.buffer, nil
	}
	start := int64(i) * chunkSize
	n := min(chunkSize, r.size-start)
	if r.buffer == nil {
		r.buffer = make([]byte, min(chunkSize, r.size))
	}
	r.held = -1
	r.buffer = r.buffer[:n]
	if err := r.read(r.buffer, start); err != nil {
		return nil, err
	}
	if sha256.Sum256(r.buffer) != r.chunks[i].sum {
		return nil, damaged(r.digest, fmt.Sprintf("bytes %d to %d have changed", start, start+n))
	}
	r.held = i
	return r.buffer, nil
}

// LineFeeds returns how many the content has.
func (r *Reader) LineFeeds() int64 {
	sum := uint64(0)
	for _, c := range r.chunks {
		sum += c.lines
	}
	return int64(sum)
}

// LineStart returns the offset at which the line begins, counted from 1, and the size for a line after the last. It reads
// one chunk.
func (r *Reader) LineStart(line int64) (int64, error) {
	if line <= 1 {
		return 0, nil
	}
	before := line - 1 // line feeds before it
	for i, c := range r.chunks {
		if int64(c.lines) < before {
			before -= int64(c.lines)
			continue
		}
		content, err := r.chunk(i)
		if err != nil {
			return 0, err
		}
		at := 0
		for ; before > 0; before-- {
			at += bytes.IndexByte(content[at:], '\n') + 1
		}
		return int64(i)*chunkSize + int64(at), nil
	}
	return r.size, nil
}

// LineAt returns the number of the line, from 1, in which the byte at the offset lies. It reads one chunk.
func (r *Reader) LineAt(offset int64) (int64, error) {
	line := int64(1)
	last := int(min(offset, r.size) / chunkSize)
	for _, c := range r.chunks[:min(last, len(r.chunks))] {
		line += int64(c.lines)
	}
	if last >= len(r.chunks) {
		return line, nil
	}
	content, err := r.chunk(last)
	if err != nil {
		return 0, err
	}
	within := min(offset-int64(last)*chunkSize, int64(len(content)))
	return line + int64(bytes.Count(content[:within], []byte{'\n'})), nil
}

// Verify reads the blob from end to end. It returns CodeUnavailable if it is damaged.
func (r *Reader) Verify() error {
	whole := sha256.New()
	if _, err := io.Copy(whole, io.NewSectionReader(r, 0, r.size)); err != nil {
		return err
	}
	if fmt.Sprintf("%x", whole.Sum(nil)) != r.digest {
		return damaged(r.digest, "its content has another digest")
	}
	return nil
}

// NotThere is the Error for a digest under which nothing lies.
func NotThere(d string) error {
	return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there are no bytes with the digest %.12s", d)
}

func damaged(d string, how string) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the stored bytes are damaged and are not served").
		WithCause(fmt.Errorf("blob %s: %s", d, how)).
		WithHint("store the content again, or have the operator restore it from a backup")
}
