package sealed

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
)

// Sizes in bytes. All are part of the form.
const (
	keySize   = 32
	tagSize   = 16                       // that a seal adds
	wholeSize = 1 << 20                  // of a sealed chunk: as much as the files below check at a time
	span      = wholeSize - tagSize      // of a chunk
	digestEnd = sizeSize + 2*sha256.Size // of the digest in the trailer, behind the size
	sizeSize  = 8                        // of the size in the clear
)

// trailer tells of a content.
type trailer struct {
	size   int64
	digest string
	feeds  []uint64 // line feeds of each chunk
}

// trailerOf reads a content to its end.
func trailerOf(r io.Reader) (t trailer, err error) {
	whole, buffer := sha256.New(), make([]byte, span)
	for err == nil {
		var n int
		if n, err = io.ReadFull(r, buffer); n > 0 {
			whole.Write(buffer[:n])
			t.size += int64(n)
			t.feeds = append(t.feeds, uint64(bytes.Count(buffer[:n], []byte{'\n'})))
		}
	}
	if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return trailer{}, err
	}
	t.digest = hex.EncodeToString(whole.Sum(nil))
	return t, nil
}

// bytes returns the trailer as it is sealed.
func (t trailer) bytes() []byte {
	out := binary.BigEndian.AppendUint64(nil, uint64(t.size))
	out = append(out, t.digest...)
	for _, n := range t.feeds {
		out = binary.BigEndian.AppendUint64(out, n)
	}
	return out
}

// seal seals the parts of one file.
type seal struct {
	aead cipher.AEAD
	name string
}

func newSeal(name string, key []byte) (seal, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return seal{}, fmt.Errorf("use the key of a blob: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	return seal{aead, name}, err
}

// last is the number of the trailer among the chunks.
const last = 1<<63 - 1

// nonce returns that of a chunk.
func nonce(i int64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 4, 12), uint64(i))
}

func (s seal) close(i int64, plain []byte) []byte {
	return s.aead.Seal(make([]byte, 0, len(plain)+tagSize), nonce(i), plain, []byte(s.name))
}

func (s seal) open(i int64, sealed []byte) ([]byte, error) {
	return s.aead.Open(sealed[:0], nonce(i), sealed, []byte(s.name))
}

// file is a sealed file that is made as it is read.
type file struct {
	seal    seal
	content io.ReaderAt
	about   trailer
	tail    []byte
	held    int64 // the chunk in sealed; -1: none
	sealed  []byte
}

// newFile returns the file of a content.
func newFile(name string, key []byte, content io.ReaderAt, about trailer) (*file, error) {
	s, err := newSeal(name, key)
	if err != nil {
		return nil, err
	}
	tail := binary.BigEndian.AppendUint64(s.close(last, about.bytes()), uint64(about.size))
	return &file{seal: s, content: content, about: about, tail: tail, held: -1}, nil
}

// body returns the number of bytes of a file before its trailer.
func body(size, chunks int64) int64 { return size + chunks*tagSize }

func (f *file) body() int64 { return body(f.about.size, int64(len(f.about.feeds))) }

func (f *file) length() int64 { return f.body() + int64(len(f.tail)) }

// ReadAt implements io.ReaderAt.
func (f *file) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at < f.body() {
		sealed, err := f.chunk(at / wholeSize)
		if err != nil {
			return n, err
		}
		some := copy(p[n:], sealed[at%wholeSize:])
		n, at = n+some, at+int64(some)
	}
	if n < len(p) {
		n += copy(p[n:], f.tail[min(at-f.body(), int64(len(f.tail))):])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// chunk returns a sealed chunk.
func (f *file) chunk(i int64) ([]byte, error) {
	if f.held == i {
		return f.sealed, nil
	}
	plain := make([]byte, min(span, f.about.size-i*span))
	if n, err := f.content.ReadAt(plain, i*span); n < len(plain) {
		return nil, err
	}
	f.held, f.sealed = i, f.seal.close(i, plain)
	return f.sealed, nil
}

// blob is an open sealed file. It is not safe for concurrent use.
type blob struct {
	blobs.Chunks
	file   artifacts.Blob
	seal   seal
	held   int
	buffer []byte
}

// open returns the blob of a file, which is closed with it. It returns CodeUnavailable for a file that the key does not open, or that holds another content.
func open(f artifacts.Blob, name, digest string, key []byte) (*blob, error) {
	s, err := newSeal(name, key)
	if err != nil {
		return nil, err
	}
	t, err := readTrailer(f, s)
	if err != nil {
		return nil, err
	}
	if t.digest != digest {
		return nil, unopened(name, errors.New("it holds another content"))
	}
	b := &blob{file: f, seal: s, held: -1}
	b.Chunks = blobs.Chunks{Span: span, Length: t.size, Feeds: t.feeds, Read: b.chunk}
	return b, nil
}

// readTrailer reads the part of a file that tells of its content.
func readTrailer(f artifacts.Blob, s seal) (trailer, error) {
	misfit := unopened(s.name, errors.New("its size does not fit"))
	if f.Size() < sizeSize {
		return trailer{}, misfit
	}
	clear := make([]byte, sizeSize)
	if err := readWhole(f, clear, f.Size()-sizeSize); err != nil {
		return trailer{}, err
	}
	size := int64(binary.BigEndian.Uint64(clear))
	chunks := (size + span - 1) / span
	if size < 0 || size > f.Size() || f.Size() != body(size, chunks)+digestEnd+chunks*sizeSize+tagSize+sizeSize {
		return trailer{}, misfit
	}
	sealed := make([]byte, digestEnd+chunks*sizeSize+tagSize)
	if err := readWhole(f, sealed, body(size, chunks)); err != nil {
		return trailer{}, err
	}
	plain, err := s.open(last, sealed)
	if err != nil {
		return trailer{}, unopened(s.name, err)
	}
	t := trailer{size: size, digest: string(plain[sizeSize:digestEnd])}
	for rest := plain[digestEnd:]; len(rest) > 0; rest = rest[sizeSize:] {
		t.feeds = append(t.feeds, binary.BigEndian.Uint64(rest))
	}
	if int64(binary.BigEndian.Uint64(plain)) != size {
		return trailer{}, misfit
	}
	return t, nil
}

// readWhole fills p.
func readWhole(r io.ReaderAt, p []byte, at int64) error {
	if n, err := r.ReadAt(p, at); n < len(p) {
		return err
	}
	return nil
}

// chunk returns the content of a chunk, valid until the next call.
func (b *blob) chunk(i int) ([]byte, error) {
	if b.held == i {
		return b.buffer, nil
	}
	start := int64(i) * span
	sealed := make([]byte, min(span, b.Length-start)+tagSize)
	if err := readWhole(b.file, sealed, int64(i)*wholeSize); err != nil {
		return nil, err
	}
	plain, err := b.seal.open(int64(i), sealed)
	if err != nil {
		return nil, unopened(b.seal.name, err)
	}
	b.held, b.buffer = i, plain
	return plain, nil
}

// Close ends the reading.
func (b *blob) Close() error { return b.file.Close() }

func unopened(name string, err error) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the stored bytes do not open with their key").WithCause(fmt.Errorf("blob %s: %w", name, err)).
		WithHint("check that erasure.keys is the place where the keys of these files are")
}
