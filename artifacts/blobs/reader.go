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
	Chunks
	digest string
	named  bool // the digest is another name
	file   Source
	length int64 // of the file
	sums   [][sha256.Size]byte
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
	size := int64(binary.BigEndian.Uint64(footer))
	count := (size + chunkSize - 1) / chunkSize
	kind := string(footer[footerSize-len(magic):])
	if kind != magic && kind != magicNamed || size < 0 || size+count*entrySize+footerSize != r.length {
		return damaged(r.digest, "its footer does not fit")
	}
	table := make([]byte, count*entrySize)
	if err := r.read(table, size); err != nil {
		return err
	}
	if guard := guardOf(r.digest, size, table); !bytes.Equal(guard[:], footer[8:8+sha256.Size]) {
		return damaged(r.digest, "its table does not fit")
	}
	var feeds []uint64
	for ; len(table) > 0; table = table[entrySize:] {
		feeds = append(feeds, binary.BigEndian.Uint64(table[sha256.Size:]))
		r.sums = append(r.sums, [sha256.Size]byte(table))
	}
	r.named = kind == magicNamed
	r.Chunks = Chunks{Span: chunkSize, Length: size, Feeds: feeds, Read: r.chunk}
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

// Named reports whether the content lies under a name that is not its digest.
func (r *Reader) Named() bool { return r.named }

// Close ends the reading.
func (r *Reader) Close() error { return r.file.Close() }

// chunk returns the checked content of a chunk, valid until the next call.
func (r *Reader) chunk(i int) ([]byte, error) {
	if r.held == i {
		return r.buffer, nil
	}
	start := int64(i) * chunkSize
	n := min(chunkSize, r.Length-start)
	if r.buffer == nil {
		r.buffer = make([]byte, min(chunkSize, r.Length))
	}
	r.held = -1
	r.buffer = r.buffer[:n]
	if err := r.read(r.buffer, start); err != nil {
		return nil, err
	}
	if sha256.Sum256(r.buffer) != r.sums[i] {
		return nil, damaged(r.digest, fmt.Sprintf("bytes %d to %d have changed", start, start+n))
	}
	r.held = i
	return r.buffer, nil
}

// Verify reads the blob from end to end. It returns CodeUnavailable if it is damaged.
func (r *Reader) Verify() error {
	whole := sha256.New()
	if _, err := io.Copy(whole, io.NewSectionReader(r, 0, r.Length)); err != nil {
		return err
	}
	if !r.named && fmt.Sprintf("%x", whole.Sum(nil)) != r.digest {
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
