package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// endpoint answers every question in one way and remembers the last.
func endpoint(t *testing.T, answer http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	c, err := New(Options{BaseURL: server.URL + "/v1", Model: "m", APIKey: "sk-very-secret", Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSummarize(t *testing.T) {
	var asked struct {
		Model    string `json:"model"`
		Messages []struct{ Role, Content string }
		Most     int `json:"max_completion_tokens"`
	}
	var authorization string
	c := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		authorization = r.Header.Get("Authorization")
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"The parser fails."}}]}`)
	})
	got, err := c.Summarize(context.Background(), "parse() failed", 100)
	if err != nil || got != "The parser fails." {
		t.Fatalf("Summarize = %q, %v", got, err)
	}
	if asked.Model != "m" || asked.Most != 100 || authorization != "Bearer sk-very-secret" || len(asked.Messages) != 2 ||
		!strings.Contains(asked.Messages[1].Content, "parse() failed") {
		t.Errorf("asked %+v with %q", asked, authorization)
	}
}

// TestFailures: the error for any fault of the endpoint says that it is unavailable, and quotes neither the endpoint nor the key.
func TestFailures(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"refuses": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "bad key sk-very-secret", http.StatusUnauthorized)
		},
		"fails": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "quoted text", http.StatusInternalServerError)
		},
		"redirects": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"empty":     func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"choices":[]}`) },
		"blank": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"choices":[{"message":{"content":" "}}]}`)
		},
		"not JSON": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `quoted text`) },
		"hangs":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			for range maxAnswer>>10 + 2 {
				fmt.Fprint(w, strings.Repeat(" ", 1<<10))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
				var drained json.RawMessage
				_ = json.NewDecoder(r.Body).Decode(&drained)
				answer(w, r)
			})
			got, err := c.Summarize(context.Background(), "the text", 10)
			if ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable || got != "" {
				t.Fatalf("Summarize = %q, %v, want unavailable", got, err)
			}
			for _, leak := range []string{"sk-very-secret", "quoted", "the text"} {
				if strings.Contains(err.Error(), leak) {
					t.Errorf("the error quotes %q: %v", leak, err)
				}
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{}, {BaseURL: "ftp://x/v1", Model: "m"}, {BaseURL: "http://u:p@x/v1", Model: "m"}, {BaseURL: "http://x/v1"}} {
		if _, err := New(o); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("New(%v) = %v, want invalid", o, err)
		}
	}
	if text := fmt.Sprintf("%v %+v %#v", Options{APIKey: "k3y"}, Options{APIKey: "k3y"}, Options{APIKey: "k3y"}); strings.Contains(text, "k3y") {
		t.Errorf("the key is printed: %s", text)
	}
}
