package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os/exec"
	"slices"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
)

// TestEmbeddings: with an endpoint that refuses, memories are stored and recalled by words, with a warning; the next start
// embeds the rest; another model embeds everything anew.
func TestEmbeddings(t *testing.T) {
	endpoint := embedtest.NewServer(t, embedtest.Hashed(32))
	endpoint.InjectAlways(embedtest.Status(http.StatusUnauthorized))
	dir := t.TempDir()

	down := startWithEmbeddings(t, dir, endpoint.URL, "model-a")
	down.call(t, "remember", `{"content":"We deploy on Thursdays.","source":{"kind":"user_statement"}}`)
	got := down.recall(t)
	if len(got.Memories) != 1 || len(got.Warnings) != 1 {
		t.Errorf("with the endpoint down, recall = %+v, want the memory and a warning", got)
	}
	down.stop(t)

	endpoint.InjectAlways(nil)
	for _, model := range []string{"model-a", "model-b"} {
		up := startWithEmbeddings(t, dir, endpoint.URL, model)
		for got = up.recall(t); len(got.Warnings) > 0; got = up.recall(t) { // until the background has caught up
			if t.Context().Err() != nil {
				t.Fatal("the memory is never embedded")
			}
		}
		if len(got.Memories) != 1 || got.BestRelevance < 0.5 {
			t.Errorf("with %s, recall = %+v, want the memory", model, got)
		}
		up.stop(t)
		embedded := slices.ContainsFunc(endpoint.Calls(), func(c embedtest.Call) bool {
			return c.Model == model && slices.Contains(c.Input, "We deploy on Thursdays.")
		})
		if !embedded {
			t.Errorf("%s did not embed the memory", model)
		}
	}
}

// running is the real binary over stdio.
type running struct{ client *client.Client }

func startWithEmbeddings(t *testing.T, dir, url, model string) *running {
	t.Helper()
	cmd := binary(t, dir, "stdio", "--project", "p")
	cmd.Env = append(cmd.Env, "CTX_MCP_EMBEDDINGS_BASE_URL="+url, "CTX_MCP_EMBEDDINGS_MODEL="+model, "CTX_MCP_EMBEDDINGS_API_KEY=key")
	c := client.NewClient(transport.NewStdioWithOptions(cmd.Path, nil, nil, transport.WithCommandFunc(
		func(context.Context, string, []string, []string) (*exec.Cmd, error) { return cmd, nil })))
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	return &running{c}
}

func (r *running) stop(t *testing.T) {
	t.Helper()
	if err := r.client.Close(); err != nil {
		t.Errorf("stop: %v", err)
	}
}

func (r *running) call(t *testing.T, tool, arguments string) json.RawMessage {
	t.Helper()
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = tool, json.RawMessage(arguments)
	result, err := r.client.CallTool(t.Context(), request)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil || result.IsError {
		t.Fatalf("%s = %s, %v", tool, raw, err)
	}
	return raw
}

// recalled holds the fields that the test reads of an answer.
type recalled struct {
	BestRelevance float64           `json:"best_relevance"`
	Memories      []json.RawMessage `json:"memories"`
	Warnings      []string          `json:"warnings"`
}

func (r *running) recall(t *testing.T) recalled {
	t.Helper()
	var out recalled
	if err := json.Unmarshal(r.call(t, "recall", `{"query":"deploy Thursdays"}`), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
