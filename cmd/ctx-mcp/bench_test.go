package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/config"
)

// BenchmarkStart starts the built binary over stdio and waits for its first tools/list reply: on a new data directory,
// and on one that exists. It needs bin/ctx-mcp, which `make build` makes.
func BenchmarkStart(b *testing.B) {
	binary, err := exec.LookPath("../../bin/ctx-mcp")
	if err != nil {
		b.Skip("there is no bin/ctx-mcp: run make build")
	}
	kept := b.TempDir()
	for _, bb := range []struct {
		name string
		dir  func() string
	}{
		{"new", b.TempDir},
		{"existing", func() string { return kept }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				c, err := client.NewStdioMCPClient(binary, nil, "stdio", "--log-level", "error", "--data-dir", bb.dir())
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Initialize(context.Background(), mcp.InitializeRequest{}); err != nil {
					b.Fatal(err)
				}
				if _, err := c.ListTools(context.Background(), mcp.ListToolsRequest{}); err != nil {
					b.Fatal(err)
				}
				_ = c.Close()
			}
		})
	}
}

// BenchmarkRecordAction decides on actions of a session that has 100 of them and a megabyte of results, with the store, the
// policy and the receipts of the product, and reports the time that 99 of 100 take less than.
func BenchmarkRecordAction(b *testing.B) {
	sys := realSystem()
	sys.err = io.Discard
	c := config.New()
	c.DataDir = b.TempDir()
	a, err := openApp(b.Context(), sys, c)
	if err != nil {
		b.Fatal(err)
	}
	defer a.close()
	by, took, n := c.Caller(), []time.Duration{}, 0
	record := func(session string) string {
		n++
		parameters := fmt.Sprintf(`{"to":"person%d@example.com","text":"the report of week %d"}`, n%50, n)
		done, err := a.actions.Record(b.Context(), by, ctxmcp.Scope{}, actions.Intent{Session: session, Tool: "mail", Operation: "send", Parameters: json.RawMessage(parameters)})
		if err != nil {
			b.Fatal(err)
		}
		return done.ActionID
	}
	session := ""
	for b.Loop() {
		if len(took)%20 == 0 {
			b.StopTimer()
			session = longSession(b, a, by, len(took), record)
			b.StartTimer()
		}
		start := time.Now()
		record(session)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
}

// longSession begins a session with 100 actions, the results of which have a megabyte together.
func longSession(b *testing.B, a *app, by ctxmcp.Caller, n int, record func(session string) string) string {
	session := fmt.Sprint("s", n)
	o := actions.Opening{Session: session, Request: actions.Request{Text: "Send the reports of the last weeks to everybody concerned"}}
	if _, err := a.actions.Start(b.Context(), by, ctxmcp.Scope{}, o); err != nil {
		b.Fatal(err)
	}
	for i := range 100 {
		id := record(session)
		text, err := json.Marshal(strings.Repeat(fmt.Sprintf("Person %d wrote on day %d about the report of the quarter. ", i, i), 180))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.actions.Result(b.Context(), by, ctxmcp.Scope{}, actions.Outcome{Session: session, Action: id, Result: text}); err != nil {
			b.Fatal(err)
		}
	}
	return session
}
