package artifacts_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

var (
	ann  = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted}
	here = ctxmcp.Scope{User: "ann", Project: "web", Session: "s1"}
)

// awsKey has the form of a key that opens something. It is put together here, so that it stands in no file.
var awsKey = "AKIA" + "Q3JTCJ4U3BUD5XZ7"

// fixture is a service over empty stores. Its clock stands still until a test moves it.
type fixture struct {
	*artifacts.Service
	store *inmem.Store
	blobs *blobs.Store
	now   time.Time
	count int
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	b, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{store: &inmem.Store{}, blobs: b, now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	r := redact.New([]byte("key"))
	f.Service = &artifacts.Service{
		Index: f.store, Keeper: f.store, Blobs: b, Counter: tokens.Approximate{},
		Redact: r.Func(),
		Now:    func() time.Time { return f.now }, Logger: slog.New(slog.DiscardHandler),
		NewID: func() string { f.count++; return fmt.Sprintf("00000000-0000-7000-8000-%012x", f.count) },
	}
	return f
}

func (f *fixture) put(t testing.TB, at ctxmcp.Scope, d artifacts.Draft) ctxmcp.Artifact {
	t.Helper()
	if d.Type == "" {
		d.Type = "notes"
	}
	kept, err := f.Put(context.Background(), ann, at, d)
	if err != nil {
		t.Fatalf("Put: %v", err)
	}
	return kept.Artifact
}

func (f *fixture) read(t testing.TB, ask artifacts.Ask) artifacts.Slice {
	t.Helper()
	s, err := f.Read(context.Background(), ann, here, ask)
	if err != nil {
		t.Fatalf("Read(%+v): %v", ask, err)
	}
	return s
}

func TestPut(t *testing.T) {
	f := newFixture(t)
	kept, err := f.Put(context.Background(), ann, here, artifacts.Draft{
		Content: `{"region": "eu", "key": "` + awsKey + `"}`, Type: "search results", Summary: "holds " + awsKey,
	})
	if err != nil {
		t.Fatal(err)
	}
	a := kept.Artifact
	if a.ID != "search-results_20260304_050607_000000000001" || a.MediaType != artifacts.JSON || a.Classification != ctxmcp.Confidential {
		t.Errorf("Put = %+v", a)
	}
	if diff := cmp.Diff([]string{"region", "key"}, a.SchemaKeys); diff != "" {
		t.Errorf("SchemaKeys differ (-want +got):\n%s", diff)
	}
	if len(kept.Found) != 1 || kept.Found[0].Count != 2 || strings.Contains(a.Summary, awsKey) {
		t.Errorf("found %v, the summary is %q", kept.Found, a.Summary)
	}
	if s := f.read(t, artifacts.Ask{ID: a.ID}); strings.Contains(s.Content, awsKey) || !strings.Contains(s.Content, `"region": "eu"`) {
		t.Errorf("content = %s", s.Content)
	}
}

func TestPutRefuses(t *testing.T) {
	f := newFixture(t)
	f.Options.MaxSize = 10
	for _, tt := range []struct {
		draft artifacts.Draft
		want  ctxmcp.Code
	}{
		{artifacts.Draft{Content: "x"}, ctxmcp.CodeInvalid},
		{artifacts.Draft{Content: "x", Type: strings.Repeat("t", 101)}, ctxmcp.CodeTooLarge},
		{artifacts.Draft{Content: "x", Type: "t", Summary: strings.Repeat("t", 2001)}, ctxmcp.CodeTooLarge},
		{artifacts.Draft{Content: "x", Type: "t", Task: "a b"}, ctxmcp.CodeInvalid},
		{artifacts.Draft{Content: "x", Type: "t", MediaType: "nonsense/"}, ctxmcp.CodeInvalid},
		{artifacts.Draft{Content: "12345678901", Type: "t"}, ctxmcp.CodeTooLarge},
	} {
		if _, err := f.Put(context.Background(), ann, here, tt.draft); ctxmcp.CodeOf(err) != tt.want {
			t.Errorf("Put(%+v) = %v, want %s", tt.draft, err, tt.want)
		}
	}
}

const poem = "one\ntwo\nthree\nfour\nfive\nsix\nseven"

func TestRead(t *testing.T) {
	f := newFixture(t)
	text := f.put(t, here, artifacts.Draft{Content: poem})
	doc := f.put(t, here, artifacts.Draft{Content: `{"items": [{"n": 1}, {"n": 2}], "é": "è"}`})
	lines := f.put(t, here, artifacts.Draft{Content: "{\"n\": 1}\n{\"n\": 2}\n"})
	next := func(n int64) *int64 { return &n }
	for _, tt := range []struct {
		ask  artifacts.Ask
		want string
		next *int64
	}{
		{artifacts.Ask{ID: text.ID}, poem, nil},
		{artifacts.Ask{ID: text.ID, Offset: 4, Limit: 3}, "two", next(7)},
		{artifacts.Ask{ID: text.ID, Offset: 28}, "seven", nil},
		{artifacts.Ask{ID: text.ID, Lines: "2-3"}, "two\nthree\n", nil},
		{artifacts.Ask{ID: text.ID, Lines: "6-"}, "six\nseven", nil},
		{artifacts.Ask{ID: text.ID, Lines: "-2"}, "one\ntwo\n", nil},
		{artifacts.Ask{ID: text.ID, Lines: "7"}, "seven", nil},
		{artifacts.Ask{ID: text.ID, Lines: "6-99"}, "six\nseven", nil},
		{artifacts.Ask{ID: text.ID, Pattern: "^t"}, "2:two\n3:three", nil},
		{artifacts.Ask{ID: text.ID, Pattern: "five|one", ContextLines: 1}, "1:one\n2-two\n--\n4-four\n5:five\n6-six", nil},
		{artifacts.Ask{ID: text.ID, Pattern: "e$", Lines: "4-6"}, "5:five", nil},
		{artifacts.Ask{ID: text.ID, Pattern: "zebra"}, "", nil},
		{artifacts.Ask{ID: doc.ID, Path: "$.items[1].n"}, "2", nil},
		{artifacts.Ask{ID: doc.ID, Path: "items[*].n"}, "[1,2]", nil},
		{artifacts.Ask{ID: doc.ID, Path: "é"}, `"è"`, nil},
		{artifacts.Ask{ID: doc.ID, Path: "items", Offset: 1, Limit: 7}, `{"n":1}`, next(8)},
		{artifacts.Ask{ID: lines.ID, Path: "$[1].n"}, "2", nil},
	} {
		s := f.read(t, tt.ask)
		if s.Content != tt.want || !cmp.Equal(s.NextOffset, tt.next) {
			t.Errorf("Read(%+v) = %q, next %v, want %q, %v", tt.ask, s.Content, s.NextOffset, tt.want, tt.next)
		}
	}
	s := f.read(t, artifacts.Ask{ID: text.ID, Pattern: "t", ContextLines: 1})
	if diff := cmp.Diff([]artifacts.Match{{Line: 2, Offset: 4}, {Line: 3, Offset: 8}}, s.Matches); diff != "" {
		t.Errorf("matches differ (-want +got):\n%s", diff)
	}
	if want := (artifacts.Range{Start: 4, End: 14, FirstLine: 2, LastLine: 3}); f.read(t, artifacts.Ask{ID: text.ID, Lines: "2-3"}).Range != want {
		t.Errorf("range = %+v, want %+v", f.read(t, artifacts.Ask{ID: text.ID, Lines: "2-3"}).Range, want)
	}
	if s.TotalLines != 7 {
		t.Errorf("TotalLines = %d, want 7", s.TotalLines)
	}
}

func TestReadRefuses(t *testing.T) {
	f := newFixture(t)
	text := f.put(t, here, artifacts.Draft{Content: poem})
	octets := f.put(t, here, artifacts.Draft{Content: "\xff\xfe\x00"})
	for _, tt := range []struct {
		ask  artifacts.Ask
		want ctxmcp.Code
	}{
		{artifacts.Ask{ID: "nothing"}, ctxmcp.CodeNotFound},
		{artifacts.Ask{ID: text.ID, Offset: 1000}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Offset: -1}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Lines: "3-1"}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Lines: "0-1"}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Lines: "-"}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Lines: "x"}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Lines: "99-"}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Pattern: "("}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Pattern: strings.Repeat("a", 1001)}, ctxmcp.CodeTooLarge},
		{artifacts.Ask{ID: text.ID, Path: "$.x"}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: text.ID, Path: "$.x", Lines: "1"}, ctxmcp.CodeInvalid},
		{artifacts.Ask{ID: octets.ID, Lines: "1"}, ctxmcp.CodeInvalid},
	} {
		if s, err := f.Read(context.Background(), ann, here, tt.ask); ctxmcp.CodeOf(err) != tt.want {
			t.Errorf("Read(%+v) = %q, %v, want %s", tt.ask, s.Content, err, tt.want)
		}
	}
}

// TestReadOn: going on at next_offset gives every byte once, whatever the cap, and never half a character.
func TestReadOn(t *testing.T) {
	f := newFixture(t)
	content := strings.Repeat("Grüße aus 東京 😀 und mehr. ", 60)
	for _, ask := range []artifacts.Ask{{ID: f.put(t, here, artifacts.Draft{Content: content}).ID}} {
		for _, most := range []int{1, 3, 17, 100} {
			var all strings.Builder
			ask.Offset, ask.MaxTokens = 0, most
			for {
				s := f.read(t, ask)
				if !utf8.ValidString(s.Content) || s.Tokens > most || s.Content == "" {
					t.Fatalf("at %d: %q has %d tokens, want at most %d", ask.Offset, s.Content, s.Tokens, most)
				}
				all.WriteString(s.Content)
				if s.NextOffset == nil {
					break
				}
				ask.Offset = *s.NextOffset
			}
			if all.String() != content {
				t.Errorf("in steps of %d tokens: %d bytes came back, want %d", most, all.Len(), len(content))
			}
		}
	}
}

// TestSearchOn: going on at next_offset finds every match once.
func TestSearchOn(t *testing.T) {
	f := newFixture(t)
	var content strings.Builder
	for i := range 500 {
		fmt.Fprintf(&content, "line %d of the log, status=%d\n", i, i%7)
	}
	ask := artifacts.Ask{ID: f.put(t, here, artifacts.Draft{Content: content.String()}).ID, Pattern: "status=3", MaxTokens: 120}
	var found []int64
	for {
		s := f.read(t, ask)
		if s.Tokens > 120 {
			t.Fatalf("%d tokens, want at most 120", s.Tokens)
		}
		for _, m := range s.Matches {
			found = append(found, m.Line)
		}
		if s.NextOffset == nil {
			break
		}
		ask.Offset = *s.NextOffset
	}
	if len(found) != 71 || found[0] != 4 || found[70] != 494 {
		t.Errorf("found %d matches: %v", len(found), found)
	}
}

// TestBinary: bytes that are no text come back as base64, in stretches.
func TestBinary(t *testing.T) {
	f := newFixture(t)
	content := strings.Repeat("\x00\xff\xfe\x01", 300)
	ask := artifacts.Ask{ID: f.put(t, here, artifacts.Draft{Content: content}).ID, MaxTokens: 100}
	var all []byte
	for {
		s := f.read(t, ask)
		raw, err := base64.StdEncoding.DecodeString(s.Content)
		if err != nil || s.Encoding != "base64" || s.Tokens > 100 {
			t.Fatalf("Read = %+v, %v", s, err)
		}
		all = append(all, raw...)
		if s.NextOffset == nil {
			break
		}
		ask.Offset = *s.NextOffset
	}
	if string(all) != content {
		t.Errorf("%d bytes came back, want %d", len(all), len(content))
	}
}

// lineage is a fixed family of tasks.
type lineage map[string][]string

func (l lineage) Lineage(_ context.Context, _ ctxmcp.Caller, _ ctxmcp.Scope, task string) ([]string, error) {
	return append([]string{task}, l[task]...), nil
}

// TestIsolation: an artifact of another scope does not exist; one of a task exists for its descendants only, and where no
// task is named.
func TestIsolation(t *testing.T) {
	f := newFixture(t)
	f.Lineage = lineage{"child": {"plan"}}
	inSession := f.put(t, here, artifacts.Draft{Content: "session"})
	ofTask := f.put(t, here, artifacts.Draft{Content: "task", Task: "plan"})
	taskScope := here
	taskScope.Task = "plan"
	inTask := f.put(t, taskScope, artifacts.Draft{Content: "task scope"})
	bob := ctxmcp.Caller{Tenant: "acme", User: "bob", Clearance: ctxmcp.HighlyRestricted}
	for _, tt := range []struct {
		by                        ctxmcp.Caller
		at                        ctxmcp.Scope
		inSession, ofTask, inTask bool
	}{
		{ann, here, true, true, false},
		{ann, taskScope, true, true, true},
		{ann, ctxmcp.Scope{User: "ann", Project: "web", Session: "s1", Task: "child"}, true, true, true},
		{ann, ctxmcp.Scope{User: "ann", Project: "web", Session: "s1", Task: "other"}, true, false, false},
		{ann, ctxmcp.Scope{User: "ann", Project: "web", Session: "s2"}, false, false, false},
		{ann, ctxmcp.Scope{User: "ann", Project: "web"}, false, false, false},
		{bob, ctxmcp.Scope{User: "bob", Project: "web", Session: "s1"}, false, false, false},
		{ctxmcp.Caller{Tenant: "other", User: "ann", Clearance: ctxmcp.HighlyRestricted}, here, false, false, false},
		{ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Public}, here, false, false, false},
		{ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Projects: []string{"api"}}, here, false, false, false},
	} {
		for a, want := range map[*ctxmcp.Artifact]bool{&inSession: tt.inSession, &ofTask: tt.ofTask, &inTask: tt.inTask} {
			_, err := f.Read(context.Background(), tt.by, tt.at, artifacts.Ask{ID: a.ID})
			if (err == nil) != want || err != nil && ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
				t.Errorf("%s/%s reads %s from %s: %v, want seen = %v", tt.by.Tenant, tt.by.User, a.ID, tt.at.Namespace(), err, want)
			}
		}
	}
}

// leakyIndex returns rows that were not asked for.
type leakyIndex struct{ artifacts.Index }

func (l leakyIndex) FindArtifacts(ctx context.Context, q artifacts.Query) ([]ctxmcp.Artifact, error) {
	q.Everywhere, q.Unbounded = true, true
	return l.Index.FindArtifacts(ctx, q)
}

// TestLeakyIndex: an artifact that a faulty index returns beyond the query is not served.
func TestLeakyIndex(t *testing.T) {
	f := newFixture(t)
	a := f.put(t, here, artifacts.Draft{Content: "mine"})
	f.Index = leakyIndex{f.Index}
	there := here
	there.Session = "s2"
	if _, err := f.Read(context.Background(), ann, there, artifacts.Ask{ID: a.ID}); ctxmcp.CodeOf(err) != ctxmcp.CodeInternal {
		t.Errorf("Read = %v, want an internal error", err)
	}
}

// countingBlobs counts the bytes that are read.
type countingBlobs struct {
	artifacts.Blobs
	read int64
}

type countingBlob struct {
	artifacts.Blob
	count *int64
}

func (c *countingBlobs) Open(ctx context.Context, d string) (artifacts.Blob, error) {
	b, err := c.Blobs.Open(ctx, d)
	return countingBlob{b, &c.read}, err
}

func (c countingBlob) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.Blob.ReadAt(p, at)
	*c.count += int64(n)
	return n, err
}

var large = flag.Int64("large", 256, "size in MiB of the artifact that TestLargeIsNotReadWhole slices")

// TestLargeIsNotReadWhole: slices of a large artifact read little more than what they give, and hold no more of it in memory.
func TestLargeIsNotReadWhole(t *testing.T) {
	f := newFixture(t)
	size := *large << 20
	if testing.Short() {
		t.Skip("writes a large file")
	}
	line := bytes.Repeat([]byte("0123456789abcde\n"), 4096)
	digest, n, err := f.blobs.Put(context.Background(), io.LimitReader(&repeater{line: line}, size))
	if err != nil || n != size {
		t.Fatalf("Put = %d, %v", n, err)
	}
	a := ctxmcp.Artifact{ID: "big", TenantID: "acme", Home: here, Digest: digest, Size: n, MediaType: artifacts.Text, Classification: ctxmcp.Public, Created: f.now}
	if err := f.Index.ApplyArtifacts(context.Background(), artifacts.Change{Insert: []ctxmcp.Artifact{a}}); err != nil {
		t.Fatal(err)
	}
	counting := &countingBlobs{Blobs: f.Blobs}
	f.Blobs = counting
	last := size / 16 // lines
	for _, ask := range []artifacts.Ask{
		{ID: "big", Offset: size - 100}, {ID: "big", Lines: fmt.Sprintf("%d-%d", last-10, last)}, {ID: "big", Offset: size / 2, Pattern: "0123", MaxTokens: 100},
	} {
		counting.read = 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		s := f.read(t, ask)
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		allocated := after.TotalAlloc - before.TotalAlloc
		if s.Content == "" || s.TotalLines != size/16 || counting.read > 1<<20 || allocated > 8<<20 {
			t.Errorf("Read(%+v) gave %d bytes of %d lines, read %d bytes and allocated %d", ask, len(s.Content), s.TotalLines, counting.read, allocated)
		}
		t.Logf("%d MiB, %+v: %d bytes read, %d allocated, %v", *large, ask, counting.read, allocated, took)
	}
}

// repeater yields the same over and over.
type repeater struct {
	line []byte
	at   int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.line[r.at:])
	r.at = (r.at + n) % len(r.line)
	return n, nil
}
