package serve

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// gone is the connection of a client that has left.
type gone struct{ http.ResponseWriter }

func (gone) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestClientThatHasGoneIsNoError: a client that hangs up in the middle of an answer is no error in the log.
func TestClientThatHasGoneIsNoError(t *testing.T) {
	f := newFixture(t)
	h := NewHandler(f.MCPServer, HTTPOptions{Logger: f.logger()})
	defer h.Close()
	r := httptest.NewRequest("POST", "http://127.0.0.1/mcp", strings.NewReader(initialize))
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(gone{httptest.NewRecorder()}, r)
	if log := f.log.String(); strings.Contains(log, "ERROR") || !strings.Contains(log, "http request") {
		t.Errorf("the log has %s", log)
	}
}
