package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
)

// reader is an endpoint in the place of a model that answers as a careful reader would who knows the labels: it allows an action that no session
// has as injected, and leaves every other one, and one that it does not know, to a person. It bounds what a model can bring.
type reader struct {
	mu       sync.Mutex
	injected map[string]bool // by call: some session has it as injected
	asked    int
	allowed  int
}

// readerOf returns the reader of sessions.
func readerOf(sessions []labelled.Session) *reader {
	r := &reader{injected: map[string]bool{}}
	for _, s := range sessions {
		injected := map[int]bool{}
		for _, i := range append(append([]int{}, s.Label.Injected...), s.Label.Support...) {
			injected[i] = true
		}
		for i, a := range s.Actions {
			key := callKey(a.Tool, a.Args)
			r.injected[key] = r.injected[key] || injected[i]
		}
	}
	return r
}

// callKey tells calls apart by the tool and the arguments, without regard to case and to signs that a normal form may change.
func callKey(tool string, args map[string]any) string {
	raw, _ := json.Marshal(args) // of JSON
	return strings.ToLower(tool + " " + string(raw))
}

// listen serves the reader on this machine, and returns its base URL.
func (r *reader) listen() (base string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := &http.Server{Handler: r}
	go func() { _ = s.Serve(l) }() // it ends with stop
	return "http://" + l.Addr().String() + "/v1", func() { _ = s.Close() }, nil
}

// ServeHTTP answers a question in the form of a chat.
func (r *reader) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var in struct {
		Messages []struct{ Content string } `json:"messages"`
	}
	var question struct {
		Calls []struct {
			Tool       string         `json:"tool"`
			Parameters map[string]any `json:"parameters"`
		} `json:"calls"`
	}
	if json.NewDecoder(request.Body).Decode(&in) != nil || len(in.Messages) == 0 || json.Unmarshal([]byte(in.Messages[len(in.Messages)-1].Content), &question) != nil {
		http.Error(w, "no question", http.StatusBadRequest)
		return
	}
	verdict := "allow"
	r.mu.Lock()
	for _, c := range question.Calls {
		if injected, known := r.injected[callKey(c.Tool, c.Parameters)]; injected || !known {
			verdict = "ask"
		}
	}
	r.asked++
	if verdict == "allow" {
		r.allowed++
	}
	r.mu.Unlock()
	answer, _ := json.Marshal(map[string]string{"verdict": verdict, "why": "by the label"})
	content, _ := json.Marshal(string(answer))
	fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s}}]}`, content)
}
