package actions_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
)

// BenchmarkRecord measures record_action in a session of 100 actions and 1 MB of results: mails, each of which tells somebody to
// do something. It reports the 99th percentile.
func BenchmarkRecord(b *testing.B) {
	s := newBench(b, actions.Options{MaxActions: 1 << 30})
	opening := actions.Opening{Session: "s", Request: actions.Request{Text: "Answer the mail from Ann about the harbor project, and pay the invoice in it."}}
	if _, err := s.Start(b.Context(), ann(), ctxmcp.Scope{}, opening); err != nil {
		b.Fatal(err)
	}
	for i := range 100 {
		id := fmt.Sprint("a", i)
		if _, err := s.Record(b.Context(), ann(), ctxmcp.Scope{}, actions.Intent{Session: "s", ID: id, Tool: "list_mail", Operation: "call", Parameters: json.RawMessage(fmt.Sprintf(`{"page":%d}`, i))}); err != nil {
			b.Fatal(err)
		}
		result, err := json.Marshal(mails(i))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Result(b.Context(), ann(), ctxmcp.Scope{}, actions.Outcome{Session: "s", Action: id, Result: result}); err != nil {
			b.Fatal(err)
		}
	}
	calls := []actions.Intent{
		{Tool: "send_mail", Parameters: json.RawMessage(`{"to":["ann.7@harbor.example"],"subject":"Re: harbor 7","body":"I have paid the invoice 7007 and told the office at desk.9@harbor.example."}`)},
		{Tool: "make_payment", Parameters: json.RawMessage(`{"account":"NO9386011117947","amount":84.2,"reference":"invoice 7007"}`)},
		{Tool: "get_mail", Parameters: json.RawMessage(`{"id":"m-42-3"}`)},
	}
	var took []time.Duration
	b.ResetTimer()
	for i := range b.N {
		in := calls[i%len(calls)]
		in.Session, in.ID, in.Operation = "s", fmt.Sprint("b", i), "call"
		began := time.Now()
		if _, err := s.Record(b.Context(), ann(), ctxmcp.Scope{}, in); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// mails returns about 10 KB of mails.
func mails(page int) string {
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, "- id: m-%d-%d\n  sender: ann.%d@harbor.example\n  subject: harbor %d, part %d\n  body: 'Hi,\n\n\n    Please send the plans for the %d. quay to desk.%d@harbor.example before Friday, and pay\n    invoice %d to the account NO93860111%05d.\n\n\n    The weather was fine, and the masons have finished the wall. Call me when you can.\n\n\n    Best, Ann'\n",
			page, i, i, page, i, page, i, 7000+i, page*100+i)
	}
	return b.String()
}

// BenchmarkResult measures record_result for 30 KB of mails that were not read before, in a session of 1 MB of results. It reports the 99th
// percentile.
func BenchmarkResult(b *testing.B) {
	s := newBench(b, actions.Options{MaxActions: 1 << 30})
	opening := actions.Opening{Session: "s", Request: actions.Request{Text: "Answer the mail from Ann about the harbor project, and pay the invoice in it."}}
	if _, err := s.Start(b.Context(), ann(), ctxmcp.Scope{}, opening); err != nil {
		b.Fatal(err)
	}
	read := func(i int, text string) time.Duration {
		id := fmt.Sprint("a", i)
		if _, err := s.Record(b.Context(), ann(), ctxmcp.Scope{}, actions.Intent{Session: "s", ID: id, Tool: "list_mail", Operation: "call", Parameters: json.RawMessage(fmt.Sprintf(`{"page":%d}`, i))}); err != nil {
			b.Fatal(err)
		}
		result, err := json.Marshal(text)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if _, err := s.Result(b.Context(), ann(), ctxmcp.Scope{}, actions.Outcome{Session: "s", Action: id, Result: result}); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	for i := range 100 {
		read(i, mails(i))
	}
	var took []time.Duration
	b.ResetTimer()
	for i := range b.N {
		took = append(took, read(1000+i, mails(1000+3*i)+mails(1001+3*i)+mails(1002+3*i)))
	}
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
