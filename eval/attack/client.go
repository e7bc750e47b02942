package attack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Client is a caller with a token, in a protocol session that it begins anew when the server has forgotten it.
type Client struct {
	url, token string
	http       *http.Client

	mu      sync.Mutex // guards session
	session string
}

// NewClient returns a client of the endpoint at url.
func NewClient(url, token string) *Client {
	return &Client{url: url, token: token, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
}

// Answer is the response to a message.
type Answer struct {
	Status  int
	Body    []byte
	Message []byte // the JSON-RPC message of the body, if there is one
	Took    time.Duration
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"attack","version":"1"}}}`

// Send posts a message in the client's session, of a new one if the server knows it no more.
func (c *Client) Send(ctx context.Context, body []byte) (Answer, error) {
	for again := false; ; again = true {
		session, err := c.begun(ctx)
		if err != nil {
			return Answer{}, err
		}
		answer, err := c.Post(ctx, body, "Mcp-Session-Id", session)
		if err != nil || answer.Status != http.StatusNotFound || again {
			return answer, err
		}
		c.mu.Lock()
		if c.session == session {
			c.session = ""
		}
		c.mu.Unlock()
	}
}

// begun returns the id of the session.
func (c *Client) begun(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != "" {
		return c.session, nil
	}
	id, err := c.Initialize(ctx, []byte(initialize))
	c.session = id
	return id, err
}

// Initialize begins a protocol session and returns its id.
func (c *Client) Initialize(ctx context.Context, body []byte) (string, error) {
	r, err := c.do(ctx, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		return "", errors.Join(err, fmt.Errorf("initialize: %s: %.200s", r.Status, text))
	}
	return r.Header.Get("Mcp-Session-Id"), nil
}

// Post posts a message once.
func (c *Client) Post(ctx context.Context, body []byte, headers ...string) (Answer, error) {
	began := time.Now()
	r, err := c.do(ctx, bytes.NewReader(body), headers...)
	if err != nil {
		return Answer{Took: time.Since(began)}, err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return Answer{Status: r.StatusCode, Body: text, Message: messageIn(r.Header, text), Took: time.Since(began)}, err
}

func (c *Client) do(ctx context.Context, body io.Reader, headers ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+c.token)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return c.http.Do(r)
}

// messageIn returns the message in a body: the body, or the data of the last event in a stream.
func messageIn(h http.Header, body []byte) []byte {
	if !strings.HasPrefix(h.Get("Content-Type"), "text/event-stream") {
		return bytes.TrimSpace(body)
	}
	var last []byte
	for line := range bytes.Lines(body) {
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			last = bytes.TrimSpace(data)
		}
	}
	return last
}

// List returns the result of a method without parameters.
func (c *Client) List(ctx context.Context, method string) ([]byte, error) {
	a, err := c.Send(ctx, request(method, "{}"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	var m reply
	if err := json.Unmarshal(a.Message, &m); err != nil || m.Error != nil {
		return nil, errors.Join(err, fmt.Errorf("%s: %d %.300s", method, a.Status, a.Body))
	}
	return m.Result, nil
}

// Call calls a tool and reads its structured result into out.
func (c *Client) Call(ctx context.Context, tool string, arguments, out any) error {
	text, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	a, err := c.Send(ctx, request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, text)))
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	var m reply
	var r toolResult
	if err := errors.Join(json.Unmarshal(a.Message, &m), json.Unmarshal(orNull(m.Result), &r)); err != nil || m.Error != nil || r.IsError {
		return fmt.Errorf("%s: %d %.300s", tool, a.Status, a.Body)
	}
	return json.Unmarshal(orNull(r.Structured), out)
}

func orNull(text json.RawMessage) []byte {
	if len(text) == 0 {
		return []byte("null")
	}
	return text
}

// Targets returns all that the server publishes.
func (c *Client) Targets(ctx context.Context) ([]Target, error) {
	var results [3][]byte
	for i, method := range []string{"tools/list", "resources/templates/list", "resources/list"} {
		var err error
		if results[i], err = c.List(ctx, method); err != nil {
			return nil, err
		}
	}
	tools, err := toolTargets(results[0])
	if err != nil {
		return nil, err
	}
	resources, err := resourceTargets(results[1], results[2])
	return append(tools, resources...), err
}
