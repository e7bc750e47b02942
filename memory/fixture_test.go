package memory_test

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// start is when the tests begin.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// day returns the instant n days after the start.
func day(n int) time.Time { return start.AddDate(0, 0, n) }

// ann is the caller of most tests. She may see everything and state what is hers.
var ann = ctxmcp.Caller{
	Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser,
}

// atHome is where ann is when nothing else is said.
var atHome = ctxmcp.Scope{User: "ann"}

// clock stands still until it is set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

// words counts the tokens of a text by its words.
type words struct{}

func (words) Name() string          { return "words" }
func (words) Count(text string) int { return len(strings.Fields(text)) }

var secret = regexp.MustCompile(`secret-\w+`)

// hideSecrets redacts the words that begin with "secret-".
func hideSecrets(_ context.Context, _, text string) (string, []redact.Finding, error) {
	n := len(secret.FindAllString(text, -1))
	if n == 0 {
		return text, nil, nil
	}
	return secret.ReplaceAllString(text, "[SECRET:REDACTED]"), []redact.Finding{{Label: "SECRET", Count: n}}, nil
}

// countedIDs returns ids in the form of a UUID that count from 1.
func countedIDs() func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n.Add(1)) }
}

// newService returns a service over the store, with its clock at the start.
func newService(store memory.Store) (*memory.Service, *clock) {
	c := &clock{at: start}
	return memory.New(memory.Core{
		Store: store, Counter: words{}, Redact: hideSecrets, Now: c.now, NewID: countedIDs(),
		Logger: slog.New(slog.DiscardHandler),
	}), c
}

// stores lists the stores that the rules are tested over.
var stores = map[string]func(*testing.T) memory.Store{
	"inmem": func(*testing.T) memory.Store { return &inmem.Store{} },
	"sqlite": func(t *testing.T) memory.Store {
		s, err := sqlite.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	},
}

// overStores runs the test over every store.
func overStores(t *testing.T, test func(*testing.T, memory.Store)) {
	for name, open := range stores {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// said returns the draft of a user's statement with a claim.
func said(content, subject, predicate, value string) memory.Draft {
	return memory.Draft{
		Content: content, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome,
		Claim: ctxmcp.Claim{Subject: subject, Predicate: predicate, Value: value},
	}
}

// remember stores the draft, which must not fail.
func remember(t *testing.T, s *memory.Service, by ctxmcp.Caller, d memory.Draft) memory.Remembered {
	t.Helper()
	r, err := s.Remember(t.Context(), by, d)
	if err != nil {
		t.Fatalf("Remember(%q) = %v", d.Content, err)
	}
	return r
}

// every returns the query for all versions that the tenant ever held.
func every(tenant string) memory.Query {
	return memory.Query{
		Tenant: tenant, Everywhere: true, Unrestricted: true, EveryVersion: true, Archived: true,
	}
}

func find(t *testing.T, s memory.Store, q memory.Query) []ctxmcp.ContextObject {
	t.Helper()
	found, err := s.Find(context.Background(), q)
	if err != nil {
		t.Fatalf("Find: %v", err)
	}
	return found
}
