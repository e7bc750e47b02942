package bucket

import (
	"context"
	"errors"
	"io"

	"github.com/minio/minio-go/v7"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
)

// ending is how many of its last bytes an object is asked for at first: a small blob comes whole, and a large one with its table.
const ending = 64 << 10

// Open implements artifacts.Blobs. It returns CodeNotFound if there is no copy, CodeUnavailable if all are damaged. The reader makes its requests under ctx.
func (s *Store) Open(ctx context.Context, digest string) (artifacts.Blob, error) {
	r, err := s.open(ctx, digest)
	if err != nil {
		return nil, err // not a nil *Reader, which is no nil Blob
	}
	return r, nil
}

// open reads the newest copy whose end is whole.
func (s *Store) open(ctx context.Context, digest string) (*blobs.Reader, error) {
	if !blobs.Is(digest) {
		return nil, blobs.NotThere(digest)
	}
	all, err := s.of(ctx, digest)
	if err != nil {
		return nil, err
	}
	fault := blobs.NotThere(digest)
	for i, o := range all {
		f := &source{ctx: ctx, store: s, key: o.key, length: o.size}
		r, err := blobs.NewReader(digest, f, o.size)
		if err == nil {
			return r, nil
		}
		if i == 0 || ctxmcp.CodeOf(fault) == ctxmcp.CodeNotFound {
			fault = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, fault
}

// source is an object that is read by ranged requests. It is not safe for concurrent use.
type source struct {
	ctx    context.Context
	store  *Store
	key    string
	length int64
	tail   []byte // the last bytes of it, once they were read
}

// Close implements io.Closer.
func (f *source) Close() error { return nil }

// ReadAt implements io.ReaderAt.
func (f *source) ReadAt(p []byte, at int64) (int, error) {
	begin := max(0, f.length-ending)
	if at < begin {
		return f.request(p, at)
	}
	if f.tail == nil {
		tail := make([]byte, f.length-begin)
		if n, err := f.request(tail, begin); n < len(tail) {
			return 0, err
		}
		f.tail = tail
	}
	n := copy(p, f.tail[min(at-begin, int64(len(f.tail))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// request asks for a stretch.
func (f *source) request(p []byte, at int64) (int, error) {
	ctx, cancel := context.WithTimeout(f.ctx, timeFor(int64(len(p))))
	defer cancel()
	var o minio.GetObjectOptions
	if err := o.SetRange(at, at+int64(len(p))-1); err != nil {
		return 0, err
	}
	body, _, _, err := minio.Core{Client: f.store.client}.GetObject(ctx, f.store.at.bucket, f.key, o)
	if err != nil {
		return 0, f.store.at.failed("read", err)
	}
	n, err := io.ReadFull(body, p)
	if err := errors.Join(err, body.Close()); n < len(p) {
		return n, f.store.at.failed("read", err)
	}
	return n, nil
}
