package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// located returns a call of remember for where the office is, one id and value of many that contradict each other.
func located(id int, city, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"remember","arguments":{`+
		`"content":"The office is in %s.","valid_from":"2025-06-01T00:00:00Z","source":{"kind":"user_statement"},`+
		`"claim":{"subject":"the office","predicate":"located_in","value":%q}}%s}}`+"\n", id, city, city, more)
}

// TestInterruptMidQuestion: a signal ends the question and the process at once, and the call that asked is answered.
func TestInterruptMidQuestion(t *testing.T) {
	cmd := binary(t, t.TempDir(), "stdio")
	cmd.Env = append(cmd.Env, "CTX_MCP_HTTP_SHUTDOWN_GRACE=5m", "CTX_MCP_ASK_TIMEOUT=5m")
	in, out := piped(t, cmd)
	canAsk := strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
	if _, err := io.WriteString(in, canAsk+located(2, "Bonn", "")+located(3, "Kiel", "")); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for asked := false; !asked; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("no question was put: %v", err)
		}
		asked = strings.Contains(line, `"method":"elicitation/create"`)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	if got := parse(t, rest)["3"]; !strings.Contains(string(got.Result), "no valid answer came from the user in time: review ") {
		t.Errorf("the call was answered with %s %v", got.Result, got.Error)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("exit: %v", err)
	}
}

// TestAnswerReachesAnotherProcess: since 2026-07-28 nothing waits for an answer, so it counts after a restart too.
func TestAnswerReachesAnotherProcess(t *testing.T) {
	const modern = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	dir := t.TempDir()
	run := func(input string) string {
		cmd := binary(t, dir, "stdio")
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("exit: %v", err)
		}
		return string(parse(t, out)["2"].Result)
	}
	var first struct {
		ResultType    string
		RequestState  string
		InputRequests map[string]json.RawMessage
	}
	asked := run(located(1, "Bonn", modern) + located(2, "Kiel", modern))
	if err := json.Unmarshal([]byte(asked), &first); err != nil || first.ResultType != "input_required" || len(first.InputRequests) != 1 {
		t.Fatalf("the first call = %s, %v, want a question", asked, err)
	}
	answers := `,"inputResponses":{"choice":{"action":"accept","content":{"choice":"both"}}},"requestState":"` + first.RequestState + `"`
	if got := run(located(2, "Kiel", modern+answers)); !strings.Contains(got, `"status":"stored"`) {
		t.Errorf("the second call = %s, want what the user decided", got)
	}
	if got := run(located(2, "Rome", modern+answers)); !strings.Contains(got, "requestState does not belong to this call") {
		t.Errorf("the answer to another call = %s, want a refusal", got)
	}
	if got := run(located(2, "Kiel", modern+answers)); !strings.Contains(got, "is not open any more") {
		t.Errorf("the same answer again = %s, want nothing decided twice", got)
	}
}

func TestNobodyIsAskedIfSoConfigured(t *testing.T) {
	cmd := binary(t, t.TempDir(), "stdio")
	cmd.Env = append(cmd.Env, "CTX_MCP_ASK_TIMEOUT=0")
	canAsk := strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
	cmd.Stdin = strings.NewReader(canAsk + located(2, "Bonn", "") + located(3, "Kiel", ""))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("exit: %v", err)
	}
	if got := parse(t, out)["3"]; !strings.Contains(string(got.Result), "the user cannot be asked here: review ") {
		t.Errorf("the call was answered with %s %v", got.Result, got.Error)
	}
}
