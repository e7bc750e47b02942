package sqlite

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// The tests in the crash_*_test.go files hold the package to the promise of an acknowledgement: when the power fails,
// when processes are killed, when several share a directory, and when something is to be forgotten.

var crashSeed = flag.Uint64("crash.seed", 1, "seed of the crash tests")

// The processes of these tests are the test binary again, told by the environment which child to be and where.
const (
	roleVariable = "SQLITE_TEST_ROLE"
	dirVariable  = "SQLITE_TEST_DIR"
	nameVariable = "SQLITE_TEST_NAME"
)

// roles says what each child does. The name makes its ids its own.
var roles = map[string]func(dir, name string) error{
	"record":    recordedLife,
	"live":      liveRecorded,
	"fill":      fill,
	"increment": increment,
	"serve":     serve,
	"half":      dieInErasure,
	"grep":      grep,
}

func TestMain(m *testing.M) {
	run, ok := roles[os.Getenv(roleVariable)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := run(os.Getenv(dirVariable), os.Getenv(nameVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child is such a process, with its standard input and the lines of its standard output.
type child struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	said  strings.Builder // on standard error
}

func start(t *testing.T, role, dir, name string, env ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(os.Args[0])}
	c.Env = append(os.Environ(), roleVariable+"="+role, dirVariable+"="+dir, nameVariable+"="+name)
	c.Env = append(c.Env, "GORACE="+os.Getenv("GORACE")+" atexit_sleep_ms=0") // the race detector waits a second otherwise
	c.Env = append(c.Env, env...)
	c.Stderr = &c.said
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.lines = in, bufio.NewScanner(out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	return c
}

// finish waits for the end of a child that is to succeed and to say nothing on standard error.
func (c *child) finish(t *testing.T) {
	t.Helper()
	if err := c.Wait(); err != nil || c.said.Len() > 0 {
		t.Errorf("child: %v\n%s", err, &c.said)
	}
}

// openDirectory opens a store that complains on standard error, where the parent sees it.
func openDirectory(dir string) (*Store, error) {
	return Open(context.Background(), dir, slog.New(slog.NewTextHandler(os.Stderr, nil)))
}

// shared is a word of every note, and fillers are the words between which ids hide.
const shared = "note"

var fillers = func() (words [1000]string) {
	for i := range words {
		words[i] = fmt.Sprintf("word%d", i)
	}
	return words
}()

// note returns a memory of ann's. It follows from its id alone, so that a check needs nothing else. Its content is its terms:
// the id is one of them. One in sixteen is long enough for overflow pages.
func note(id string) ctxmcp.ContextObject {
	seed := fnv.New64a()
	seed.Write([]byte(id))
	rnd := rand.New(rand.NewPCG(seed.Sum64(), 1))
	words := []string{shared, id}
	for range 20 + 500*(rnd.IntN(16)/15) {
		words = append(words, fillers[rnd.IntN(len(fillers))])
	}
	began := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	return ctxmcp.ContextObject{
		ObjectID: id, FactID: id, Version: 1, Content: strings.Join(words, " "), ObjectType: ctxmcp.IdentityFact,
		CanonicalEntityIDs: []string{}, SourceOrigin: "user://ann", SourceAuthority: 0.9, ConfidenceScore: 0.95,
		Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann", Layer: ctxmcp.ProjectLayer,
		ProjectID: fmt.Sprintf("p%d", rnd.IntN(3)), ValidFrom: began, TxStart: began, LastConfirmed: began,
		ApplicableTaskTypes: []ctxmcp.TaskType{}, ContradictionStatus: ctxmcp.Clean,
		SourceKind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser,
	}
}

func insert(objects ...ctxmcp.ContextObject) memory.Change { return memory.Change{Insert: objects} }

func erase(id string) memory.Change {
	return memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: id}}}
}

// everything returns the query for all that acme holds.
func everything() memory.Query {
	return memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
}

// held returns the ids of the notes that Search finds by the word that all hold. It checks that each is whole, and that some
// are found by their own word.
func held(ctx context.Context, s *Store) (map[string]bool, error) {
	ids, err := search(ctx, s, shared)
	if err != nil {
		return nil, err
	}
	some := slices.Collect(maps.Keys(ids)) // in random order
	some = some[:min(len(some), 20)]
	byOwn, err := search(ctx, s, some...)
	if err == nil && (len(byOwn) != len(some) || len(missing(byOwn, some)) > 0) {
		err = fmt.Errorf("Search for %v found %v", some, byOwn)
	}
	return ids, err
}

// search returns the ids of the notes that Search finds by the terms. It checks that each is whole.
func search(ctx context.Context, s *Store, terms ...string) (map[string]bool, error) {
	found, err := s.Search(ctx, everything(), terms, 1<<30)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, c := range found.Candidates {
		want := note(c.Object.ObjectID).Content
		if c.Object.Content != want || strings.Join(c.Terms, " ") != want {
			return nil, fmt.Errorf("%s holds %.80q, want %.80q", c.Object.ObjectID, c.Object.Content, want)
		}
		ids[c.Object.ObjectID] = true
	}
	return ids, nil
}

// intact returns the faults that SQLite's own checks find in the file and in the full-text index.
func intact(ctx context.Context, s *Store) error {
	var verdict string
	if err := s.writes.QueryRowContext(ctx, `PRAGMA integrity_check`).Scan(&verdict); err != nil {
		return fmt.Errorf("check of the file: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("the file is damaged: %s", verdict)
	}
	if _, err := s.writes.ExecContext(ctx, `INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`); err != nil {
		return fmt.Errorf("check of the full-text index: %w", err)
	}
	return nil
}

// missing returns which of the ids are not held.
func missing(held map[string]bool, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return held[id] })
}
