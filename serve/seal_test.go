package serve

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// stateless is a client of 2026-07-28 whose rounds the test makes by hand.
type stateless struct {
	t     *testing.T
	url   string
	token string
}

// call calls a tool with arguments as JSON and the state of a second round, and returns the result.
func (s stateless) call(tool, arguments, state, answers string) result {
	s.t.Helper()
	params := fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`, tool, arguments)
	if state != "" {
		params += fmt.Sprintf(`,"requestState":%q`, state)
	}
	if answers != "" {
		params += `,"inputResponses":` + answers
	}
	a := send(s.t, "POST", s.url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}}`,
		"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: "+tool, "Authorization: Bearer "+s.token)
	var m struct {
		Result result
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(a.body), &m); err != nil {
		s.t.Fatalf("%s: %v", a.body, err)
	}
	if m.Error != nil {
		m.Result.Text = "error: " + m.Error.Message
	} else if len(m.Result.Content) > 0 {
		m.Result.Text = m.Result.Content[0].Text
	}
	return m.Result
}

type result struct {
	ResultType    string
	InputRequests map[string]struct{ Method string }
	RequestState  string
	Content       []struct{ Text string }
	Text          string
}

const blue = `{"choice":` + choseBlue + `}`

// clock is a time that a test sets.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func startStateless(t *testing.T) (alice stateless, c *clock) {
	c = &clock{time.Unix(1_000_000, 0)}
	f := newFixture(t).addAsk(&Asker{Now: c.now})
	other := f.GetTool("ask").Tool
	other.Name = "ask_too"
	f.AddTool(other, f.GetTool("ask").Handler)
	return stateless{t, f.serveHandler(t, HTTPOptions{Authenticate: authenticate}), "alice"}, c
}

func TestSecondRound(t *testing.T) {
	alice, _ := startStateless(t)
	first := alice.call("ask", `{"of":"x","n":1}`, "", "")
	if first.ResultType != "input_required" || first.InputRequests[formField].Method != "elicitation/create" || first.RequestState == "" {
		t.Fatalf("the first round = %+v", first)
	}
	if got := alice.call("ask", `{ "n":1, "of":"x" }`, first.RequestState, blue); got.Text != "1 accept blue" {
		t.Errorf("the second round = %+v, want the answer, and nothing done twice", got)
	}
	if got := alice.call("ask", `{"of":"x","n":1}`, first.RequestState, ""); got.ResultType != "input_required" {
		t.Errorf("a second round without answers = %+v, want the question again", got)
	}
	if got := alice.call("ask", `{"of":"x","n":1}`, first.RequestState, `{"other":`+choseBlue+`}`); got.ResultType != "input_required" {
		t.Errorf("a second round with another answer = %+v, want the question again", got)
	}
	if got := alice.call("ask", `{"of":"x","n":1}`, first.RequestState, `{"choice":"blue"}`); got.Text != "1 unanswered" {
		t.Errorf("a second round with a malformed answer = %+v", got)
	}
}

// TestAnswerToNoQuestion: an answer counts only with the seal of the question that it answers.
func TestAnswerToNoQuestion(t *testing.T) {
	alice, _ := startStateless(t)
	if got := alice.call("ask", `{"of":"x"}`, "", blue); got.ResultType != "input_required" {
		t.Errorf("an answer out of the blue = %+v, want the question", got)
	}
}

// TestForgedState: a state that a client carries is the text of a stranger.
func TestForgedState(t *testing.T) {
	alice, _ := startStateless(t)
	state := alice.call("ask", `{"of":"x"}`, "", "").RequestState
	text, sum, _ := strings.Cut(state, ".")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	richer := base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(raw), `"k":1`, `"k":9`, 1)))
	if richer == text {
		t.Fatalf("the state is %s", raw)
	}
	bob, operator := alice, alice
	bob.token, operator.token = "bob", "alice-operator"
	for name, got := range map[string]result{
		"changed":                     alice.call("ask", `{"of":"x"}`, richer+"."+sum, blue),
		"without a seal":              alice.call("ask", `{"of":"x"}`, text, blue),
		"with an empty seal":          alice.call("ask", `{"of":"x"}`, text+".", blue),
		"with half a seal":            alice.call("ask", `{"of":"x"}`, state[:len(state)-8], blue),
		"with a tail":                 alice.call("ask", `{"of":"x"}`, state+"AA", blue),
		"no base64":                   alice.call("ask", `{"of":"x"}`, "?.?", blue),
		"of another user":             bob.call("ask", `{"of":"x"}`, state, blue),
		"of the user with less right": operator.call("ask", `{"of":"x"}`, state, blue),
		"of other arguments":          alice.call("ask", `{"of":"y"}`, state, blue),
		"of more arguments":           alice.call("ask", `{"of":"x","n":1}`, state, blue),
		"of another tool":             alice.call("ask_too", `{"of":"x"}`, state, blue),
	} {
		if !strings.HasPrefix(got.Text, "error: invalid: requestState does not belong to this call") {
			t.Errorf("a state %s = %+v, want a refusal", name, got)
		}
	}
	if got := alice.call("ask", `{"of":"x"}`, state, blue); got.Text != "1 accept blue" {
		t.Errorf("the true state = %+v", got)
	}
}

// TestStaleAnswer: after its time an answer is none, and the work done before stays done.
func TestStaleAnswer(t *testing.T) {
	alice, clock := startStateless(t)
	state := alice.call("ask", `{}`, "", "").RequestState
	clock.Time = clock.Add(sealLife)
	if got := alice.call("ask", `{}`, state, blue); got.Text != "1 accept blue" {
		t.Errorf("the last moment = %+v", got)
	}
	clock.Time = clock.Add(1)
	if got := alice.call("ask", `{}`, state, blue); got.Text != "1 unanswered" {
		t.Errorf("after the last moment = %+v", got)
	}
}

// TestNoKeyNoSeal: an Asker that was given no key asks nobody that it could not tell from a stranger.
func TestNoKeyNoSeal(t *testing.T) {
	f := newFixture(t)
	asker := &Asker{Now: time.Now}
	f.AddTool(mcp.NewTool("ask"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if again, err := asker.Kept(ctx, new(int)); again || err != nil {
			return nil, err
		}
		_, err := asker.Ask(ctx, colour("the door"), 1)
		return nil, err
	})
	anyone := stateless{t, f.serveHandler(t, HTTPOptions{}), ""}
	for _, state := range []string{"", "e30.e30"} {
		if got := anyone.call("ask", `{}`, state, blue); got.Text != "error: "+errInternal.Error() {
			t.Errorf("with the state %q: %+v, want an internal error", state, got)
		}
	}
}
