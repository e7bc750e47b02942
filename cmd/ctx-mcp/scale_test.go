//go:build unix

package main

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// How much a store of TestConsoleScale holds.
const (
	scaleMemories = 100_000
	scaleCompiles = 10_000
	scaleActions  = 2000
	scaleSessions = 200
)

// TestConsoleScale loads a large store and asks for every page of it nine times, where CONSOLE_SCALE is set: make console-scale. It prints the
// medians of the time and of the processor time of each answer, and its bytes; a page is to take at most 300 ms of the processor, which a busy
// machine changes little, in at most a megabyte.
func TestConsoleScale(t *testing.T) {
	if os.Getenv("CONSOLE_SCALE") == "" {
		t.Skip("make console-scale loads a large store")
	}
	l := look(t, nil).enter()
	pages := l.fill()
	l.loadMemories()
	l.loadCompiles()
	l.loadSessions()
	pages = append(pages, "sessions/long", "sessions/long?until=150", "sessions/long?proof", "memories?cursor="+url.QueryEscape(l.cursor()),
		"memories?project=p7", "memories?source=document", "memories?source=user_statement&state=every", "memories?subject=crate-77", "entities?named=harbour", "audit?object=none", "audit?action=entity",
		"memories?q=which+harbour+has+crate+77") // the words of the last are in every memory
	for _, path := range pages {
		var took, used []time.Duration
		size := 0
		for range 9 {
			began, before := time.Now(), processorTime(t)
			status, page := l.get(path)
			took, used = append(took, time.Since(began)), append(used, processorTime(t)-before)
			if size = len(page); status != http.StatusOK {
				t.Fatalf("%s = %d", path, status)
			}
		}
		slices.Sort(took)
		slices.Sort(used)
		fmt.Printf("%6d ms %6d ms of processor %8d bytes  /ui/%s\n", took[4].Milliseconds(), used[4].Milliseconds(), size, path)
		if used[4] > 300*time.Millisecond {
			t.Errorf("%s takes %v of processor time", path, used[4])
		}
		if size > 1<<20 {
			t.Errorf("%s has %d bytes", path, size)
		}
	}
}

// processorTime returns how long the processors have worked for the process: server and client are both in it.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// loadMemories writes memories of a hundred projects, a tenth with a claim.
func (l *looker) loadMemories() {
	l.Helper()
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for from := 0; from < scaleMemories; from += 1000 {
		var c memory.Change
		for i := from; i < from+1000; i++ {
			id := fmt.Sprintf("01a10000-0000-7000-8000-%012x", i)
			at := began.Add(time.Duration(i) * time.Minute)
			o := ctxmcp.ContextObject{
				ObjectID: id, FactID: id, Version: 1, Content: fmt.Sprintf("Crate %d of the %s stands in harbour %d since week %d.", i, []string{"north", "south", "east"}[i%3], i%97, i%52),
				ObjectType: ctxmcp.IdentityFact, CanonicalEntityIDs: []string{}, SourceOrigin: "user://ann", SourceAuthority: 0.9, ConfidenceScore: 0.95,
				Classification: ctxmcp.Restricted, TenantID: l.config.Tenant, UserID: "ann", ProjectID: fmt.Sprint("p", i%100), Layer: ctxmcp.ProjectLayer,
				ValidFrom: at, TxStart: at, LastConfirmed: at, ApplicableTaskTypes: []ctxmcp.TaskType{}, ContradictionStatus: ctxmcp.Clean,
				SourceKind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser,
			}
			if i%10 == 0 {
				o.Claim = ctxmcp.Claim{Subject: fmt.Sprint("crate-", i), Predicate: "harbour", Value: fmt.Sprint(i % 97)}
				o.NormalizedClaim = o.Claim.String()
			}
			c.Insert = append(c.Insert, o)
			c.Audit = append(c.Audit, ctxmcp.Event{At: at, Tenant: o.TenantID, User: "ann", Action: "remember.stored", ObjectID: id})
		}
		if err := l.app.store.Apply(l.Context(), c); err != nil {
			l.Fatal(err)
		}
	}
}

// loadCompiles writes the records of compiles: lists show them, and their packets are not opened.
func (l *looker) loadCompiles() {
	l.Helper()
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for from := 0; from < scaleCompiles; from += 1000 {
		var c packets.Change
		for i := from; i < from+1000; i++ {
			c.Insert = append(c.Insert, packets.Record{Tenant: l.config.Tenant, Ref: ctxmcp.DigestRef(fmt.Sprint("compile ", i)), Kind: packets.Compile,
				Home: ctxmcp.Scope{User: "ann", Project: fmt.Sprint("p", i%100)}, Classification: ctxmcp.Restricted, Size: 20_000,
				Objects: []string{fmt.Sprintf("01a10000-0000-7000-8000-%012x", i)}, Created: began.Add(time.Duration(i) * time.Minute)})
		}
		if err := l.app.store.ApplyPackets(l.Context(), c); err != nil {
			l.Fatal(err)
		}
	}
}

// loadSessions records a long session that has ended, and many short ones.
func (l *looker) loadSessions() {
	l.Helper()
	by, at := l.config.Caller(), ctxmcp.Scope{User: "ann"}
	for n := range scaleSessions {
		id, actionsOf := fmt.Sprint("short-", n), 3
		if n == 0 {
			id, actionsOf = "long", scaleActions
		}
		if _, err := l.app.actions.Start(l.Context(), by, at, actions.Opening{Session: id, Request: actions.Request{Text: "Count the crates of harbour 7"}}); err != nil {
			l.Fatal(err)
		}
		for i := range actionsOf {
			act := fmt.Sprint("a", i)
			if _, err := l.app.actions.Record(l.Context(), by, at, actions.Intent{Session: id, ID: act, Tool: "crates", Operation: "count",
				Parameters: []byte(fmt.Sprintf(`{"harbour":%d,"note":%q}`, i%97, strings.Repeat("count ", 20)))}); err != nil {
				l.Fatal(err)
			}
			if _, err := l.app.actions.Result(l.Context(), by, at, actions.Outcome{Session: id, Action: act, Result: []byte(fmt.Sprintf(`"There are %d crates."`, i))}); err != nil {
				l.Fatal(err)
			}
		}
		if n == 0 {
			if _, err := l.app.actions.End(l.Context(), by, at, id); err != nil {
				l.Fatal(err)
			}
		}
	}
}

// cursor returns a place far behind the beginning of the list of memories.
func (l *looker) cursor() string {
	l.Helper()
	next := ""
	for range 5 {
		page, err := l.app.memory.Browse(l.Context(), l.config.Person(), memory.Browsing{Limit: 1000, Cursor: next})
		if err != nil {
			l.Fatal(err)
		}
		next = cmp.Or(page.Next, next)
	}
	return next
}
