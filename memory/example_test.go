package memory_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// newExample returns a service over a store in memory, whose days pass one a call.
func newExample() *memory.Service {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	return memory.New(memory.Core{
		Store: &inmem.Store{}, Counter: words{}, Redact: redact.New([]byte("key")).Func(), NewID: countedIDs(),
		Now:    func() time.Time { at = at.Add(time.Hour); return at },
		Logger: slog.New(slog.DiscardHandler),
	})
}

// A statement is remembered with the claim that it makes; a later one of the same slot supersedes it, and recall answers with
// the one that holds. The first stays in the history.
func Example() {
	ctx, m := context.Background(), newExample()
	by := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
	at := ctxmcp.Scope{User: "ann"}
	var fact string
	for _, city := range []string{"Bergen", "Oslo"} {
		done, err := m.Remember(ctx, by, memory.Draft{
			Content: "Ann lives in " + city + ".", Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: at,
			Claim: ctxmcp.Claim{Subject: "Ann", Predicate: "lives in", Value: city},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fact = done.FactID
		fmt.Println(done.Status)
	}
	r, err := m.Recall(ctx, by, memory.Ask{Query: "Where does Ann live?", Scope: at})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, found := range r.Memories {
		fmt.Println(found.Object.Content)
	}
	versions, err := m.History(ctx, by, memory.HistoryAsk{FactID: fact})
	fmt.Println(len(versions), "versions", err)
	// Output:
	// stored
	// superseded
	// Ann lives in Oslo.
	// 3 versions <nil>
}

// Screen says what Remember would redact, or turn away, and stores nothing.
func ExampleService_screen() {
	by := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
	reason, found, err := newExample().Screen(context.Background(), by, memory.Draft{Content: "ok"})
	what, _, _ := strings.Cut(reason, ":") // how to mend it follows
	fmt.Println(what)
	fmt.Println(len(found), err)
	// Output:
	// content has 2 characters, under the 50 of a memory
	// 0 <nil>
}
