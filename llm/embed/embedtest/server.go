package embedtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Server is an embeddings endpoint on a loopback port. It is safe for concurrent use.
type Server struct {
	URL string // the base URL, with the version

	vectorise func(string) []float32

	mu     sync.Mutex
	next   []Fault // one for each of the next calls
	always Fault   // for the calls after those; nil answers honestly
	calls  []Call
}

// Call is a request that the server got.
type Call struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	Dimensions     *int     `json:"dimensions"` // nil if the field was left out
	EncodingFormat string   `json:"encoding_format"`
	Authorization  string   `json:"-"` // the header as it came
}

// Row is one vector of an answer.
type Row struct {
	Object    string    `json:"object"`
	Index     int       `json:"index"`
	Embedding []float32 `json:"embedding"`
}

// NewServer starts a server that embeds with vectorise, and stops it when the test ends. Like many local endpoints it
// ignores the dimensions that a call asks for: vectorise decides.
func NewServer(t testing.TB, vectorise func(string) []float32) *Server {
	t.Helper()
	s := &Server{vectorise: vectorise}
	listening := httptest.NewServer(s)
	s.URL = listening.URL + "/v1"
	t.Cleanup(func() {
		listening.CloseClientConnections() // ends the calls that hang
		listening.Close()
	})
	return s
}

// Inject makes the next calls fail, one for each fault, in order. Faults that wait already stay ahead.
func (s *Server) Inject(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, faults...)
}

// InjectAlways makes every call fail once the faults of Inject are used up; nil ends that.
func (s *Server) InjectAlways(fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always = fault
}

// Requests returns how many calls the server got, failed ones included.
func (s *Server) Requests() int { return len(s.Calls()) }

// Calls returns the calls that the server got, in order.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// ServeHTTP answers POST /v1/embeddings.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" {
		http.NotFound(w, r)
		return
	}
	var call Call
	body, err := io.ReadAll(r.Body) // to its end, or the server would not notice a client that leaves
	if err == nil {
		err = json.Unmarshal(body, &call)
	}
	if err != nil || call.Model == "" || len(call.Input) == 0 || slices.Contains(call.Input, "") {
		http.Error(w, "model and input are required", http.StatusBadRequest)
		return
	}
	call.Authorization = r.Header.Get("Authorization")
	fault := s.record(call)
	if fault == nil {
		fault = Rows(func(rows []Row) []Row { return rows })
	}
	fault(Exchange{Writer: w, Request: r, Call: call, Rows: s.honest(call.Input)})
}

// record keeps the call and takes the fault that is due.
func (s *Server) record(call Call) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
	if len(s.next) == 0 {
		return s.always
	}
	fault := s.next[0]
	s.next = s.next[1:]
	return fault
}

func (s *Server) honest(texts []string) []Row {
	rows := make([]Row, len(texts))
	for i, text := range texts {
		rows[i] = Row{Object: "embedding", Index: i, Embedding: s.vectorise(text)}
	}
	return rows
}

// InProcess returns a client whose requests call ServeHTTP without a network, for any host. In a synctest bubble,
// make the server outside and use this client inside.
func (s *Server) InProcess() *http.Client { return &http.Client{Transport: inProcess{s}} }

type inProcess struct{ server *Server }

// RoundTrip returns the server's answer, the context's error if it ended meanwhile, or io.ErrUnexpectedEOF if the server
// aborted.
func (p inProcess) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		switch v := recover(); v {
		case nil:
		case http.ErrAbortHandler:
			resp, err = nil, io.ErrUnexpectedEOF
		default:
			panic(v)
		}
	}()
	recorder := httptest.NewRecorder()
	p.server.ServeHTTP(recorder, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return recorder.Result(), nil
}
