package serve

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// stream is the response to a call, event by event.
type stream struct {
	t    *testing.T
	body *bufio.Reader
	end  context.CancelFunc
}

// callAsk calls ask and returns its response up to the question.
func callAsk(t *testing.T, url string, headers ...string) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	response := open(t, ctx, "POST", url, toolCall(2, "ask"), headers...)
	t.Cleanup(func() { response.Body.Close() })
	s := &stream{t, bufio.NewReader(response.Body), cancel}
	t.Cleanup(cancel)
	if got := s.next(); got != "elicitation/create" {
		t.Fatalf("the first event is %s", got)
	}
	return s
}

// next returns the next message in brief.
func (s *stream) next() string {
	s.t.Helper()
	for {
		line, err := s.body.ReadString('\n')
		if err != nil {
			s.t.Fatalf("read the response: %v", err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return brief([]string{data})[0]
		}
	}
}

func beginAsking(t *testing.T, url string, headers ...string) string {
	t.Helper()
	id := send(t, "POST", url, initializeAsking, headers...).header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatal("initialize began no session")
	}
	return "Mcp-Session-Id: " + id
}

// TestAnswerByAnotherClientIsRefused: only the session that was asked answers, under any claim of the request.
func TestAnswerByAnotherClientIsRefused(t *testing.T) {
	url := newFixture(t).addAsk(&Asker{}).serveHandler(t, HTTPOptions{Authenticate: authenticate})
	const alice, operator, bob = "Authorization: Bearer alice", "Authorization: Bearer alice-operator", "Authorization: Bearer bob"
	session, other, bobs := beginAsking(t, url, alice), beginAsking(t, url, alice), beginAsking(t, url, bob)
	call := callAsk(t, url, session, alice)
	forged := reply(`"ask-1"`, choseRed)
	const unknown, modern = "Mcp-Protocol-Version: 1999-01-01", "Mcp-Protocol-Version: 2026-07-28"
	for name, headers := range map[string][]string{
		"another session of the same user":        {other, alice},
		"another user":                            {bobs, bob},
		"another user in the session":             {session, bob},
		"the same user with other rights":         {session, operator},
		"another user, in an unknown revision":    {session, bob, unknown},
		"nobody, in an unknown revision":          {session, unknown},
		"another user, in the stateless revision": {session, bob, modern},
		"the session, in the stateless revision":  {session, alice, modern},
		"no session":                              {alice},
	} {
		if got := send(t, "POST", url, forged, headers...); got.status < 400 {
			t.Errorf("%s: %d %s, want a refusal", name, got.status, got.body)
		}
	}
	for _, id := range []string{`"ask-2"`, `1`, `"1"`} {
		if got := send(t, "POST", url, reply(id, choseRed), session, alice); got.status != http.StatusBadRequest && got.status != http.StatusNotFound {
			t.Errorf("an answer to %s = %d %s, want 400 or 404", id, got.status, got.body)
		}
	}
	if got := send(t, "POST", url, reply(`"ask-1"`, choseBlue), session, alice); got.status != http.StatusAccepted {
		t.Errorf("the answer = %d %s, want 202", got.status, got.body)
	}
	if got := call.next(); got != "2 1 accept blue" {
		t.Errorf("the call = %q, want the answer of the session", got)
	}
}

func TestClientThatHangsUpMidQuestion(t *testing.T) {
	f := newFixture(t)
	ended := make(chan error, 1)
	asker := &Asker{}
	f.AddTool(mcp.NewTool("ask"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		_, err := asker.Ask(ctx, colour("the door"), nil)
		ended <- err
		return nil, err
	})
	url := f.serveHandler(t, HTTPOptions{})
	session := beginAsking(t, url)
	callAsk(t, url, session).end()
	if err := <-ended; err != context.Canceled {
		t.Errorf("Ask = %v, want %v", err, context.Canceled)
	}
	got := send(t, "POST", url, reply(`"ask-1"`, choseRed), session)
	if got.status != http.StatusNotFound || !strings.Contains(got.body, "no question waits for this answer") {
		t.Errorf("a late answer = %d %s, want a refusal", got.status, got.body)
	}
}

// TestStopMidQuestion: a server that stops ends its questions without waiting for the grace, and the call still answers.
func TestStopMidQuestion(t *testing.T) {
	r := serveHTTP(t, newFixture(t).addAsk(&Asker{}), HTTPOptions{ShutdownGrace: 1 << 62})
	call := callAsk(t, r.url, beginAsking(t, r.url))
	r.stop()
	if first, second := call.next(), call.next(); first != cancelled || second != "2 1 unanswered" {
		t.Errorf("after the stop: %q, %q", first, second)
	}
	if err := <-r.done; err != nil {
		t.Errorf("HTTP = %v, want nil", err)
	}
}

func TestQuestionOverHTTPThatNobodyAnswersEnds(t *testing.T) {
	url := newFixture(t).addAsk(&Asker{Timeout: 1}).serveHandler(t, HTTPOptions{})
	call := callAsk(t, url, beginAsking(t, url))
	if first, second := call.next(), call.next(); first != cancelled || second != "2 1 unanswered" {
		t.Errorf("after the timeout: %q, %q", first, second)
	}
}
