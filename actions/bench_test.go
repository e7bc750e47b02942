package actions_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
)

// benchCalls are taken in turn: two that do what texts say, and a read.
var benchCalls = []actions.Intent{
	{Tool: "send_mail", Parameters: json.RawMessage(`{"to":["ann.7@harbor.example"],"subject":"Re: harbor 7","body":"I have paid the invoice 7007 and told the office at desk.9@harbor.example."}`)},
	{Tool: "make_payment", Parameters: json.RawMessage(`{"account":"NO9386011117947","amount":84.2,"reference":"invoice 7007"}`)},
	{Tool: "get_mail", Parameters: json.RawMessage(`{"id":"m-42-3"}`)},
}

// megabyte is the number of pages of mails that come to 1 MB.
const megabyte = 100

// longBench returns a service with an open session.
func longBench(b *testing.B) *bench {
	s := newBench(b, actions.Options{MaxActions: 1 << 30})
	opening := actions.Opening{Session: "s", Request: actions.Request{Text: "Answer the mail from Ann about the harbor project, and pay the invoice in it."}}
	if _, err := s.Start(b.Context(), ann(), ctxmcp.Scope{}, opening); err != nil {
		b.Fatal(err)
	}
	return s
}

// read records a read, with its result, and times the recording of the result.
func (s *bench) read(b *testing.B, took *samples, n int, text string) {
	id := fmt.Sprint("a", n)
	if _, err := s.Record(b.Context(), ann(), ctxmcp.Scope{}, actions.Intent{Session: "s", ID: id, Tool: "list_mail", Operation: "call", Parameters: json.RawMessage(fmt.Sprintf(`{"page":%d}`, n))}); err != nil {
		b.Fatal(err)
	}
	result, err := json.Marshal(text)
	if err != nil {
		b.Fatal(err)
	}
	took.time(b, func() error {
		_, err := s.Result(b.Context(), ann(), ctxmcp.Scope{}, actions.Outcome{Session: "s", Action: id, Result: result})
		return err
	})
}

// act times the recording of one of the calls.
func (s *bench) act(b *testing.B, took *samples, n int) {
	in := benchCalls[n%len(benchCalls)]
	in.Session, in.ID, in.Operation = "s", fmt.Sprint("b", n), "call"
	took.time(b, func() error {
		_, err := s.Record(b.Context(), ann(), ctxmcp.Scope{}, in)
		return err
	})
}

// samples are the times of calls: by the clock, and of the processor for the thread of the call. Beside other work only the second tells something.
type samples struct{ clock, processor []time.Duration }

func (s *samples) time(b *testing.B, call func() error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began, used := time.Now(), processorTime()
	err := call()
	s.processor, s.clock = append(s.processor, processorTime()-used), append(s.clock, time.Since(began))
	if err != nil {
		b.Fatal(err)
	}
}

// report tells the median and the 99th percentile.
func (s *samples) report(b *testing.B) {
	for name, all := range map[string][]time.Duration{"": s.clock, "cpu-": s.processor} {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds()), name+"p50-µs")
		b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), name+"p99-µs")
	}
}

// BenchmarkRecord measures record_action in a session of 100 actions and 1 MB of results: mails, each of which tells somebody to
// do something.
func BenchmarkRecord(b *testing.B) {
	s := longBench(b)
	for i := range megabyte {
		s.read(b, &samples{}, i, mails(i))
	}
	var took samples
	b.ResetTimer()
	for i := range b.N {
		s.act(b, &took, i)
	}
	b.StopTimer()
	took.report(b)
}

// BenchmarkRecordAfterResult measures it where each action follows on a result of 10 KB, in a session of 1 to 2 MB of results.
func BenchmarkRecordAfterResult(b *testing.B) {
	var took samples
	var s *bench
	for i := range b.N {
		b.StopTimer()
		if i%megabyte == 0 {
			s = longBench(b)
			for n := range megabyte {
				s.read(b, &samples{}, n, mails(n))
			}
		}
		s.read(b, &samples{}, megabyte+i, mails(megabyte+i))
		b.StartTimer()
		s.act(b, &took, i)
	}
	b.StopTimer()
	took.report(b)
}

// BenchmarkRecordInLongSession measures it in a session of 10,000 actions, each with a short result.
func BenchmarkRecordInLongSession(b *testing.B) {
	s := longBench(b)
	for i := range 10_000 {
		s.read(b, &samples{}, i, fmt.Sprintf("page %d: Ann %d wrote to desk.%d@harbor.example about invoice %d.", i, i%7, i, 7000+i))
	}
	var took samples
	b.ResetTimer()
	for i := range b.N {
		s.act(b, &took, i)
	}
	b.StopTimer()
	took.report(b)
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

// BenchmarkResult measures record_result for 30 KB of mails that were not read before, in a session of 1 to 4 MB of results.
func BenchmarkResult(b *testing.B) {
	var took samples
	var s *bench
	for i := range b.N {
		b.StopTimer()
		if i%megabyte == 0 {
			s = longBench(b)
			for n := range megabyte {
				s.read(b, &samples{}, n, mails(n))
			}
		}
		b.StartTimer()
		s.read(b, &took, 1000+i, mails(1000+3*i)+mails(1001+3*i)+mails(1002+3*i))
	}
	b.StopTimer()
	took.report(b)
}
