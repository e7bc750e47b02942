package postgres

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// TestCurve fills a store in the steps of CURVE, such as 10000,100000, and prints after each how long a question to recall takes in the scope that holds
// nearly all, and in one of 100 memories. PostgreSQL is loaded past the store, by statements for many rows. CURVE_STORE=sqlite takes the embedded store,
// CURVE_STORE=both one after the other.
func TestCurve(t *testing.T) {
	if os.Getenv("CURVE") == "" {
		t.Skip("SKIPPED: make curve measures recall in stores of growing size")
	}
	switch store := os.Getenv("CURVE_STORE"); store {
	case "both":
		for _, one := range []string{"sqlite", "postgres"} {
			t.Run(one, func(t *testing.T) { curve(t, one) })
		}
	default:
		curve(t, store)
	}
}

func curve(t *testing.T, store string) {
	l := curveLoader(t, store)
	l.fill(t, 100, "small")
	l.fill(t, 1000, "busy")
	t.Logf("%10s %10s %8s %32s %32s", "memories", "loaded/s", "MB", "busy p10, p50, p95, first (ms)", "small p10, p50, p95, first (ms)")
	for _, step := range strings.Split(os.Getenv("CURVE"), ",") {
		size, err := strconv.Atoi(step)
		if err != nil {
			t.Fatal(err)
		}
		began, n := time.Now(), size-l.held
		if l.address != "" {
			l.bulk(t, n, "busy")
		} else {
			l.fill(t, n, "busy")
		}
		rate := float64(n) / time.Since(began).Seconds()
		t.Logf("%10d %10.0f %8d %32s %32s", l.held, rate, l.size(t)>>20, l.recall(t, "busy"), l.recall(t, "small"))
	}
}

// curveLoader returns a loader of an empty store, by default in a PostgreSQL that it starts.
func curveLoader(t *testing.T, store string) *loader {
	t.Helper()
	if store == "sqlite" {
		folder := t.TempDir()
		s, err := sqlite.Open(t.Context(), folder, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		l := newLoader(s, "")
		l.folder = folder
		return l
	}
	needServer(t)
	own, err := postgrestest.Start("shared_buffers=1GB", "max_wal_size=8GB", "synchronous_commit=off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := own.Stop(); err != nil {
			t.Error(err)
		}
	})
	address := own.Empty(t)
	return newLoader(openStore(t, address), address)
}

// loader fills a store with made-up memories.
type loader struct {
	store   *sqlite.Store
	address string // of a database that is loaded past the store; "": it is not
	folder  string // of the embedded store
	service *memory.Service
	rnd     *rand.Rand
	zipf    *rand.Zipf
	held    int
}

func newLoader(s *sqlite.Store, address string) *loader {
	rnd := rand.New(rand.NewPCG(1, 1))
	l := &loader{address: address, rnd: rnd, zipf: rand.NewZipf(rnd, 1.07, 8, 50_000)}
	l.use(s)
	return l
}

// use has questions asked of a store.
func (l *loader) use(s *sqlite.Store) { l.store, l.service = s, serviceOver(s) }

// memory makes up a memory of a project.
func (l *loader) memory(project string) ctxmcp.ContextObject {
	id, now := uuid.Must(uuid.NewV7()).String(), ctxmcp.Instant(time.Now())
	return ctxmcp.ContextObject{
		ObjectID: id, FactID: id, Version: 1, Content: l.words(20), ObjectType: ctxmcp.IdentityFact, SourceOrigin: "user://ann",
		SourceKind: ctxmcp.UserStatement, Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann", ProjectID: project,
		Layer: ctxmcp.ProjectLayer, ValidFrom: now, TxStart: now, LastConfirmed: now, ContradictionStatus: ctxmcp.Clean, Authority: ctxmcp.AuthorityUser,
	}
}

// words makes up a text over a vocabulary in which, as in language, few words are frequent.
func (l *loader) words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%dx", l.zipf.Uint64())
	}
	return strings.Join(words, " ")
}

// fill stores n memories in groups.
func (l *loader) fill(t *testing.T, n int, project string) {
	t.Helper()
	for n > 0 {
		var c memory.Change
		for ; len(c.Insert) < 1000 && n > 0; n-- {
			c.Insert = append(c.Insert, l.memory(project))
		}
		if err := l.store.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		l.held += len(c.Insert)
	}
}

// size returns the bytes that the database takes on disk, its log of writes aside.
func (l *loader) size(t *testing.T) (bytes int64) {
	t.Helper()
	if l.address == "" {
		info, err := os.Stat(filepath.Join(l.folder, sqlite.FileName))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if err := connect(t, l.address).QueryRow(t.Context(), `SELECT pg_database_size(current_database())`).Scan(&bytes); err != nil {
		t.Fatal(err)
	}
	return bytes
}

// recall asks questions in a project, and tells the tenth percentile, which other work of the machine raises least, the median, the 95th
// percentile and the first.
func (l *loader) recall(t *testing.T, project string) string {
	t.Helper()
	by := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
	took := make([]time.Duration, 60)
	for i := range took {
		ask := memory.Ask{Query: "where is " + l.words(4), Scope: ctxmcp.Scope{User: "ann", Project: project}}
		began := time.Now()
		if _, err := l.service.Recall(t.Context(), by, ask); err != nil {
			t.Fatal(err)
		}
		took[i] = time.Since(began)
	}
	first := took[0]
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
	return fmt.Sprintf("%.1f, %.1f, %.1f, %.0f", ms(took[len(took)/10]), ms(took[len(took)/2]), ms(took[len(took)*95/100]), ms(first))
}
