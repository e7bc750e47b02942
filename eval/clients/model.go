package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// step is one thing that the scripted model does: it calls a tool. Used are the tokens that it says the request had; 0 means few.
type step struct {
	Tool string
	Args object
	Used int
}

// call is a call of a tool in the form that a client offers it.
type call struct {
	name, space, kind string
	args              object
	code              string // of a call by a program
	used              int
}

func (c call) arguments() string {
	line, err := json.Marshal(c.args)
	if err != nil {
		panic(err) // it is made of strings and numbers here
	}
	return string(line)
}

// model is a scripted model on loopback. The step that it plays is the number of results that the request holds, so it keeps no state, and a
// request that is made again is answered as before.
type model struct {
	URL    string
	script []step
	server *http.Server

	mu     sync.Mutex
	seen   []request // that offer tools: the model at work, not a title or a summary of it
	all    []string  // every request as it came
	filled bool      // a step with Used was played
}

func newModel(script []step) (*model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &model{URL: "http://" + l.Addr().String(), script: script}
	m.server = &http.Server{Handler: m}
	go func() { _ = m.server.Serve(l) }() // it ends by Close
	return m, nil
}

func (m *model) Close() error { return m.server.Close() }

// ServeHTTP answers a request of the client, and keeps it.
func (m *model) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	raw, err := io.ReadAll(in.Body)
	if err != nil {
		http.Error(w, "the request did not come whole", http.StatusBadRequest)
		return
	}
	r := request{Path: in.URL.Path, Raw: string(raw)}
	_ = json.Unmarshal(raw, &r.Body) // a body that is no object offers no tools
	d, known := dialectOf(r.Path)
	number := m.keep(r)
	switch {
	case in.Method == http.MethodGet:
		sendJSON(w, object{"object": "list", "data": []any{object{"id": "scripted", "object": "model"}}, "models": []any{}})
	case strings.HasSuffix(r.Path, ":countTokens"):
		sendJSON(w, object{"totalTokens": len(raw) / 4})
	case !known:
		http.Error(w, `{"error": {"message": "no such path"}}`, http.StatusNotFound)
	case len(r.offered()) == 0:
		d.answer(w, r.Body, number, nil, "ok")
	default:
		d.answer(w, r.Body, number, m.next(d, r), "done")
	}
}

// keep notes a request, and returns its number.
func (m *model) keep(r request) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, r.Raw)
	if _, known := dialectOf(r.Path); known && len(r.offered()) > 0 {
		m.seen = append(m.seen, r)
	}
	return len(m.all)
}

// next returns the call of the step that a request has come to; none once the script has been played.
func (m *model) next(d dialect, r request) []call {
	at := d.results(r.Body)
	if at >= len(m.script) {
		return nil
	}
	c := r.callOf(m.script[at])
	c.used = m.script[at].Used
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.used > 0 && m.filled {
		return nil // the client has compacted the conversation, and its results count from none again
	}
	m.filled = m.filled || c.used > 0
	return []call{c}
}

// callOf returns the call of a step's tool, or the search that finds it where the client defers tools.
func (r request) callOf(s step) call {
	tools := r.offered()
	for _, t := range tools {
		if t.name == s.Tool || strings.HasSuffix(t.name, "_"+s.Tool) {
			return call{name: t.name, space: t.space, kind: t.kind, args: s.Args}
		}
	}
	at := func(name string) int { return slices.IndexFunc(tools, func(t tool) bool { return t.name == name }) }
	if i := at("exec"); i >= 0 && tools[i].kind == "custom" { // calls are made by a program
		code := fmt.Sprintf("const found = ALL_TOOLS.find((t) => t.name === %[1]q || t.name.endsWith(\"_\" + %[1]q)); text(found ? await tools[found.name](%[2]s) : %[3]q)",
			s.Tool, call{args: s.Args}.arguments(), notYet)
		return call{name: "exec", kind: "custom", code: code}
	}
	if i := at("tool_search"); i >= 0 && tools[i].kind == "tool_search" {
		return call{kind: "tool_search", args: object{"query": strings.ReplaceAll(s.Tool, "_", " "), "limit": 8}}
	} else if full := r.deferred(s.Tool); i >= 0 && full != "" {
		if at("tool_call") >= 0 && strings.Contains(r.Raw, "select:"+full) {
			return call{name: "tool_call", kind: "function", args: object{"name": full, "arguments": s.Args}}
		}
		return call{name: "tool_search", kind: "function", args: object{"query": "select:" + full}}
	}
	return call{name: s.Tool, kind: "function", args: s.Args}
}

// deferred returns the full name of a tool that a request names in its text only.
func (r request) deferred(name string) string {
	for word := range strings.FieldsFuncSeq(r.Raw, func(c rune) bool {
		return !strings.ContainsRune("-_", c) && (c < '0' || c > 'z' || c > '9' && c < 'A' || c > 'Z' && c < 'a')
	}) {
		if strings.HasPrefix(word, "mcp__") && strings.HasSuffix(word, "__"+name) {
			return word
		}
	}
	return ""
}

// Requests returns the requests of the model at work, in order.
func (m *model) Requests() []request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.seen)
}

// Holds reports whether any request of the client held a text, written as it is or as JSON writes it.
func (m *model) Holds(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.all, func(raw string) bool { return strings.Contains(raw, text) })
}

// save writes the requests into a folder, for who looks at a failure.
func (m *model) save(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, raw := range m.all {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.json", i+1)), []byte(raw), 0o600); err != nil {
			return err
		}
	}
	return nil
}
