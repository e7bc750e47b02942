package buckettest

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// The key of every server, and the variable that names the program of the strict one, versitygw.
const (
	AccessKey = "test-access-key"
	SecretKey = "test-secret-key-that-nobody-may-see"
	Strict    = "TEST_S3_STRICT"
)

// Server is object storage at an endpoint, with a bucket.
type Server struct {
	Endpoint string
	Bucket   string
	// Age makes the objects below a prefix as old as if they had been stored before.
	Age func(t testing.TB, prefix string, by time.Duration)
	// Clock sets the server's clock ahead; nil: it cannot be set.
	Clock func(ahead time.Duration)
	// Spoil changes the bytes of the objects below a prefix.
	Spoil func(t testing.TB, prefix string, how func([]byte) []byte)
}

// Address returns the address of a prefix in the bucket. Its server is one of the test's environment, whose key UseKey sets.
func (s *Server) Address(prefix string) string {
	return "s3://" + s.Bucket + "/" + prefix + "?region=us-east-1&path_style=true&endpoint=" + url.QueryEscape(s.Endpoint)
}

// UseKey sets the servers' key in the environment of a test, and keeps the machine's own away.
func UseKey(t testing.TB) {
	t.Setenv("AWS_ACCESS_KEY_ID", AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", SecretKey)
	t.Setenv("AWS_SESSION_TOKEN", "")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
}

// clock is the time of a server in memory.
type clock struct{ ahead atomic.Int64 }

// Now implements gofakes3.TimeSource.
func (c *clock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// Since implements gofakes3.TimeSource.
func (c *clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// InMemory starts a server that ends with the test.
func InMemory(t testing.TB) *Server {
	t.Helper()
	served, stored := &clock{}, &clock{}
	kept := s3mem.New(s3mem.WithTimeSource(stored))
	s := &Server{Bucket: "kept"}
	if err := kept.CreateBucket(s.Bucket); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(kept, gofakes3.WithTimeSource(served), gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(server.Close)
	s.Endpoint = server.URL
	s.Clock = func(ahead time.Duration) { served.ahead.Store(int64(ahead)) }
	again := func(t testing.TB, prefix string, at time.Duration, how func([]byte) []byte) {
		t.Helper()
		stored.ahead.Store(int64(at))
		defer stored.ahead.Store(0)
		if err := rewrite(kept, s.Bucket, prefix, how); err != nil {
			t.Fatal(err)
		}
	}
	s.Age = func(t testing.TB, prefix string, by time.Duration) {
		again(t, prefix, -by, func(b []byte) []byte { return b })
	}
	s.Spoil = func(t testing.TB, prefix string, how func([]byte) []byte) { again(t, prefix, 0, how) }
	return s
}

// rewrite stores the objects below a prefix again.
func rewrite(kept gofakes3.Backend, bucket, prefix string, how func([]byte) []byte) error {
	all, err := kept.ListBucket(bucket, &gofakes3.Prefix{HasPrefix: true, Prefix: prefix}, gofakes3.ListBucketPage{})
	if err != nil {
		return err
	}
	for _, o := range all.Contents {
		held, err := kept.GetObject(bucket, o.Key, nil)
		if err != nil {
			return err
		}
		content, err := io.ReadAll(held.Contents)
		if err != nil {
			return err
		}
		content = how(content)
		if _, err := kept.PutObject(bucket, o.Key, held.Metadata, bytes.NewReader(content), int64(len(content)), nil); err != nil {
			return err
		}
	}
	return nil
}

// Checking starts the strict server, whose program the variable TEST_S3_STRICT names, and ends it with the test. It checks each signature. It skips the
// test, and says so, where there is none.
func Checking(t testing.TB) *Server {
	t.Helper()
	program := os.Getenv(Strict)
	if program == "" {
		t.Skip("SKIPPED: make test-s3 starts an S3 server that checks signatures")
	}
	s := &Server{Bucket: "kept"}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, s.Bucket), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	run := exec.Command(program, "--access", AccessKey, "--secret", SecretKey, "--port", host, "--quiet", "posix", "--sidecar", t.TempDir(), folder)
	run.Stdout, run.Stderr = &log, &log
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = run.Wait() // it was killed
	})
	s.Endpoint = "http://" + host
	if err := answers(s.Endpoint); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	files := func(t testing.TB, prefix string, do func(path string) error) {
		t.Helper()
		if err := below(filepath.Join(folder, s.Bucket), prefix, do); err != nil {
			t.Fatal(err)
		}
	}
	s.Age = func(t testing.TB, prefix string, by time.Duration) {
		at := time.Now().Add(-by)
		files(t, prefix, func(path string) error { return os.Chtimes(path, at, at) })
	}
	s.Spoil = func(t testing.TB, prefix string, how func([]byte) []byte) {
		files(t, prefix, func(path string) error {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, how(content), 0o600)
		})
	}
	return s
}

// below calls do with the files of the objects below a prefix.
func below(root, prefix string, do func(path string) error) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		key, err := filepath.Rel(root, path)
		if err != nil || !strings.HasPrefix(filepath.ToSlash(key), prefix) {
			return err
		}
		return do(path)
	})
}

// answers waits until a server answers, for half a minute.
func answers(endpoint string) error {
	for end := time.Now().Add(30 * time.Second); ; {
		r, err := http.Get(endpoint)
		if err == nil {
			return r.Body.Close()
		}
		if time.Now().After(end) {
			return fmt.Errorf("the server does not answer: %w", err)
		}
		time.Sleep(20 * time.Millisecond) // for a process of another program there is nothing to wait on
	}
}
