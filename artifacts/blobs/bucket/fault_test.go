package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket/buckettest"
)

// wantFault checks that an error has a code, says something and tells what to do, and holds no key.
func wantFault(t *testing.T, err error, code ctxmcp.Code, says, hint string) {
	t.Helper()
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok || e.Code != code || !strings.Contains(e.Message, says) || !strings.Contains(e.Hint, hint) {
		t.Errorf("the error is %v, want %s with %q and a hint with %q", err, code, says, hint)
	}
	if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, buckettest.SecretKey) || ok && strings.Contains(e.Hint, buckettest.SecretKey) {
		t.Errorf("the error shows the key: %s", text)
	}
}

// TestAddresses: an address is read whole or refused, and what might be a key in it is never quoted.
func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"s3://kept": "s3://kept at s3.amazonaws.com",
		"s3://kept/a/b/?endpoint=http://127.0.0.1:9000":                                     "s3://kept/a/b at 127.0.0.1:9000",
		"s3://kept/a?endpoint=https://s3.example.org&region=eu-1&path_style=true&profile=x": "s3://kept/a at s3.example.org",
	} {
		if a, err := parse(text); err != nil || a.String() != want {
			t.Errorf("parse(%q) = %v, %v, want %s", text, a, err, want)
		}
	}
	for _, text := range []string{
		"s3://", "s3:///a", "s3://kept:80/a", "s3://AKIA1:sesame@kept/a", "s3://kept?access_key=sesame", "s3://kept?region=a&region=sesame", "s3://kept?path_style=sesame",
		"s3://kept?endpoint=sesame", "s3://kept?endpoint=ftp://sesame", "s3://kept?endpoint=http://u:sesame@h", "s3://kept?endpoint=http://h/sesame", "s3://kept/%zzsesame", "s3://kept?a=%zzsesame",
	} {
		_, err := parse(text)
		wantFault(t, err, ctxmcp.CodeInvalid, "the address of the blobs", "AWS_ACCESS_KEY_ID")
		if strings.Contains(fmt.Sprint(err), "sesame") {
			t.Errorf("parse(%q) quotes it: %v", text, err)
		}
	}
}

// TestFaults: an error names the fault and the remedy.
func TestFaults(t *testing.T) {
	server := buckettest.InMemory(t)
	buckettest.UseKey(t)
	s, err := Open(t.Context(), server.Address("a"))
	if err != nil {
		t.Fatal(err)
	}
	missing := *server
	missing.Bucket = "other"
	_, err = Open(t.Context(), missing.Address("a"))
	wantFault(t, err, ctxmcp.CodeUnavailable, "there is no such bucket", "make the bucket other")
	server.Clock(20 * time.Minute)
	_, _, err = s.Put(t.Context(), strings.NewReader("x"))
	wantFault(t, err, ctxmcp.CodeUnavailable, "differ by more than 15 minutes", "set the clock")
	server.Clock(0)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	_, err = Open(t.Context(), server.Address("a")+"&credentials=/nowhere")
	wantFault(t, err, ctxmcp.CodeDenied, "there is no key", "credentials=")
}

// TestWrongKey: a server that checks signatures refuses another key, and its file is read again once it was mended.
func TestWrongKey(t *testing.T) {
	server := buckettest.Checking(t)
	buckettest.UseKey(t)
	file := filepath.Join(t.TempDir(), "key")
	write := func(secret string) {
		t.Helper()
		if err := os.WriteFile(file, []byte("[default]\naws_access_key_id = "+buckettest.AccessKey+"\naws_secret_access_key = "+secret+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := server.Address("a") + "&credentials=" + file
	write("another")
	_, err := Open(t.Context(), at)
	wantFault(t, err, ctxmcp.CodeDenied, "does not accept the key", "AWS_SECRET_ACCESS_KEY")
	write(buckettest.SecretKey)
	s, err := Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	write("another again")
	_, _, err = s.Put(t.Context(), strings.NewReader("x"))
	wantFault(t, err, ctxmcp.CodeDenied, "does not accept the key", "AWS_SECRET_ACCESS_KEY")
	write(buckettest.SecretKey)
	if _, _, err := s.Put(t.Context(), strings.NewReader("x")); err != nil {
		t.Errorf("Put with the mended file: %v", err)
	}
}

// way answers requests without a network.
type way func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (w way) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

func answer(r *http.Request, status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/xml"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r, ContentLength: int64(len(body))}
}

const atHost = "s3://kept/a?region=us-east-1&path_style=true&endpoint=http://host.test"

// TestAnswers: each answer of a server is told by its row of the table of faults.
func TestAnswers(t *testing.T) {
	buckettest.UseKey(t)
	for _, f := range faults {
		for _, code := range f.codes {
			synctest.Test(t, func(t *testing.T) {
				_, err := open(t.Context(), atHost, way(func(r *http.Request) (*http.Response, error) {
					return answer(r, 403, "<Error><Code>"+code+"</Code><Message>no</Message></Error>"), nil
				}))
				a, _ := parse(atHost)
				wantFault(t, err, f.code, filled(f.says, a), filled(f.hint, a))
			})
		}
	}
}

// TestSilence: a server that does not answer is waited for as long as a request may take, and no longer than the caller waits.
func TestSilence(t *testing.T) {
	buckettest.UseKey(t)
	silent := way(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		_, err := open(t.Context(), atHost, silent)
		wantFault(t, err, ctxmcp.CodeUnavailable, "does not answer in time", "check the server")
		if took := time.Since(begin); took != patience {
			t.Errorf("Open took %s, want %s", took, patience)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, context.Canceled)
		defer cancel()
		began := time.Now()
		if _, err := open(ctx, atHost, silent); err == nil || time.Since(began) != time.Second {
			t.Errorf("Open of a caller who went after a second = %v after %s", err, time.Since(began))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		_, err := open(t.Context(), atHost, way(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }))
		wantFault(t, err, ctxmcp.CodeUnavailable, "cannot be reached", "check the endpoint")
	})
}
