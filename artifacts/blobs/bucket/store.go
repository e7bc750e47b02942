package bucket

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
)

var _ artifacts.Blobs = (*Store)(nil)

const (
	// patience is how long a request may take that moves little.
	patience = 30 * time.Second
	// slowest is the slowest pace of a transfer that is waited for, in bytes per second.
	slowest = 256 << 10
	// tries is how often a request is made before its error is told.
	tries = 3
	// grain is the precision of the times of a server.
	grain = time.Second
)

// Store keeps blobs in a bucket. Servers and goroutines may share it.
type Store struct {
	client *minio.Client
	at     address
}

// Open returns the store at an address such as s3://bucket/prefix?endpoint=https://host:9000, after one request. It returns CodeInvalid for a text that
// is no address, CodeUnavailable or CodeDenied if the bucket cannot be listed.
func Open(ctx context.Context, text string) (*Store, error) {
	return open(ctx, text, nil)
}

// open takes the way to the server; nil is the usual one.
func open(ctx context.Context, text string, way http.RoundTripper) (*Store, error) {
	a, err := parse(text)
	if err != nil {
		return nil, err
	}
	key := a.credentials()
	if v, err := key.GetWithContext(nil); err != nil || v.AccessKeyID == "" {
		return nil, a.noKey(err)
	}
	client, err := minio.New(a.endpoint.Host, &minio.Options{
		Creds: key, Secure: a.endpoint.Scheme == "https", Region: a.region, BucketLookup: a.lookup, MaxRetries: tries, Transport: way,
	})
	if err != nil {
		return nil, a.failed("be used", err)
	}
	s := &Store{client: client, at: a}
	if err := s.Reach(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Reach asks for the first object. It returns CodeUnavailable or CodeDenied where the bucket cannot be used.
func (s *Store) Reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for o := range s.client.ListObjectsIter(ctx, s.at.bucket, minio.ListObjectsOptions{Prefix: s.at.prefix, MaxKeys: 1, Recursive: true}) {
		if o.Err != nil {
			return s.at.failed("be used", o.Err)
		}
		break
	}
	return nil
}

// Put implements artifacts.Blobs. It reads r twice if that can be, and else holds it in memory.
func (s *Store) Put(ctx context.Context, r io.Reader) (digest string, size int64, err error) {
	return s.put(ctx, "", r)
}

// PutAs stores the bytes of r as Put does, under a name in the form of a digest.
func (s *Store) PutAs(ctx context.Context, name string, r io.Reader) error {
	if !blobs.Is(name) {
		return blobs.NotThere(name)
	}
	_, _, err := s.put(ctx, name, r)
	return err
}

// put stores the bytes of r under a name; "" is their digest.
func (s *Store) put(ctx context.Context, name string, r io.Reader) (_ string, size int64, err error) {
	content, err := blobs.Twice(ctx, r)
	if err != nil {
		return "", 0, s.at.failed("store", err)
	}
	sums, err := blobs.Sum(artifacts.Within(ctx, content), name)
	if err != nil {
		return "", 0, s.at.failed("store", err)
	}
	file := joined{content, sums.Size, bytes.NewReader(sums.Tail)}
	length := sums.Size + int64(len(sums.Tail))
	copied, err := uuid.NewV7()
	if err != nil {
		return "", 0, s.at.failed("store", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeFor(length))
	defer cancel()
	_, err = s.client.PutObject(ctx, s.at.bucket, s.folder(sums.Name)+copied.String(), io.NewSectionReader(file, 0, length), length,
		minio.PutObjectOptions{ContentType: "application/octet-stream", SendContentMd5: true, DisableMultipart: true})
	if err != nil {
		return "", 0, s.at.failed("store", err)
	}
	return sums.Name, sums.Size, nil
}

// timeFor returns how long a transfer may take.
func timeFor(length int64) time.Duration {
	return patience + time.Duration(length/slowest)*time.Second
}

// folder returns the beginning of the keys of a digest's copies.
func (s *Store) folder(digest string) string { return s.at.prefix + digest + "/" }

// joined is a content and the bytes behind it.
type joined struct {
	content io.ReaderAt
	size    int64
	tail    io.ReaderAt
}

// ReadAt implements io.ReaderAt.
func (j joined) ReadAt(p []byte, at int64) (n int, err error) {
	if at < j.size {
		if n, err = j.content.ReadAt(p[:min(int64(len(p)), j.size-at)], at); n == len(p) || err != nil && err != io.EOF {
			return n, err
		}
	}
	more, err := j.tail.ReadAt(p[n:], at+int64(n)-j.size)
	return n + more, err
}

// one is an object that holds a copy of a blob.
type one struct {
	digest, key string
	stored      time.Time
	size        int64
}

// copies calls do with each copy below a beginning of keys, in the order of the keys. Other objects are passed over.
func (s *Store) copies(ctx context.Context, prefix string, do func(one) error) error {
	ctx, cancel := context.WithCancel(ctx) // ends the listing
	defer cancel()
	for o := range s.client.ListObjectsIter(ctx, s.at.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return s.at.failed("list", o.Err)
		}
		digest, _, found := strings.Cut(strings.TrimPrefix(o.Key, s.at.prefix), "/")
		if !found || !blobs.Is(digest) {
			continue
		}
		if err := do(one{digest, o.Key, o.LastModified, o.Size}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// of returns the copies of a digest, the newest first.
func (s *Store) of(ctx context.Context, digest string) (all []one, err error) {
	err = s.copies(ctx, s.folder(digest), func(o one) error {
		all = append(all, o)
		return nil
	})
	slices.SortFunc(all, func(a, b one) int { return cmp.Or(b.stored.Compare(a.stored), cmp.Compare(b.key, a.key)) })
	return all, err
}

// Remove deletes the blob unless it was stored, or stored again, at or after the instant. It reports whether it did.
func (s *Store) Remove(ctx context.Context, digest string, before time.Time) (bool, error) {
	if !blobs.Is(digest) {
		return false, blobs.NotThere(digest)
	}
	all, err := s.of(ctx, digest)
	if err != nil || len(all) == 0 || !all[0].olderThan(before) {
		return false, err
	}
	for _, o := range slices.Backward(all) { // the newest last: until then there is a blob
		if err := s.delete(ctx, o.key); err != nil {
			return false, err
		}
	}
	return true, nil
}

// olderThan reports whether the copy was certainly stored before an instant.
func (o one) olderThan(at time.Time) bool { return o.stored.Add(grain).Before(at) }

// delete removes an object. One that is gone already, as when two remove it at once, is no error: S3 says nothing of it, other servers do.
func (s *Store) delete(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.client.RemoveObject(ctx, s.at.bucket, key, minio.RemoveObjectOptions{})
	if answer, ok := errors.AsType[minio.ErrorResponse](err); ok && answer.Code == "NoSuchKey" {
		return nil
	}
	return s.at.failed("remove", err)
}

// Each calls do with every blob, in the order of the digests, with when it was stored last and the size of its copies in bytes.
func (s *Store) Each(ctx context.Context, do func(digest string, stored time.Time, size int64) error) error {
	var held one
	err := s.copies(ctx, s.at.prefix, func(o one) error {
		last := held
		if held = o; last.digest == o.digest {
			held.size += last.size
			if last.stored.After(o.stored) {
				held.stored = last.stored
			}
			return nil
		}
		if last.digest == "" {
			return nil
		}
		return do(last.digest, last.stored, last.size)
	})
	if err == nil && held.digest != "" {
		err = do(held.digest, held.stored, held.size)
	}
	return err
}

// Check reads every blob from end to end and returns how many there are. It returns CodeUnavailable at the first that is damaged.
func (s *Store) Check(ctx context.Context) (int, error) {
	count := 0
	err := s.Each(ctx, func(digest string, _ time.Time, _ int64) error {
		r, err := s.open(ctx, digest)
		if err != nil {
			return err
		}
		count++
		return errors.Join(r.Verify(), r.Close())
	})
	return count, err
}

// Tidy deletes the copies before the instant that have a newer one which is older than the instant too.
func (s *Store) Tidy(ctx context.Context, before time.Time) error {
	var held one
	return s.copies(ctx, s.at.prefix, func(o one) error {
		if !o.olderThan(before) {
			return nil
		}
		last := held
		held = o
		if last.digest != o.digest {
			return nil
		}
		if last.stored.After(o.stored) {
			held, last = last, o
		}
		return s.delete(ctx, last.key)
	})
}

// Versioned reports whether the bucket keeps removed objects, as far as the server tells.
func (s *Store) Versioned(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	v, err := s.client.GetBucketVersioning(ctx, s.at.bucket)
	return err == nil && (v.Enabled() || v.Suspended())
}
