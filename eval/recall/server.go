package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// server is a running ctx-mcp, spoken to over MCP on stdio.
type server struct {
	client *client.Client

	mu    sync.Mutex // guards count
	count map[string]int
}

func start(ctx context.Context, binary, dataDir string, vectors *endpoint) (*server, error) {
	var env []string
	if vectors != nil {
		env = append(env, "CTX_MCP_EMBEDDINGS_BASE_URL="+vectors.url, "CTX_MCP_EMBEDDINGS_MODEL=lsa")
	}
	c, err := client.NewStdioMCPClient(binary, env, "stdio", "--data-dir", dataDir, "--log-level", "warn")
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", binary, err)
	}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	return &server{client: c, count: map[string]int{}}, nil
}

func (s *server) close() { _ = s.client.Close() }

// outcomes returns how many turns were stored, confirmed and so on.
func (s *server) outcomes() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// call calls a tool and reads its structured result.
func (s *server) call(ctx context.Context, tool string, arguments map[string]any, out any) error {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := s.client.CallTool(ctx, request)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if result.IsError {
		return fmt.Errorf("%s: %s", tool, raw)
	}
	return json.Unmarshal(raw, out)
}

// store remembers every turn of the conversation, in order.
func (s *server) store(ctx context.Context, c *conversation) error {
	for _, t := range c.turns {
		kind := "user_statement"
		if t.Speaker == "assistant" {
			kind = "document"
		}
		arguments := map[string]any{
			"content": t.content(), "source": map[string]any{"kind": kind}, "level": "project",
			"scope": map[string]any{"project": id(c.name), "session": id(t.Session)},
		}
		if t.Speaker != "" {
			arguments["author"] = t.Speaker
		}
		if t.Datetime != "" {
			arguments["observed_at"] = t.Datetime
		}
		if strings.TrimSpace(t.content()) == "" {
			continue
		}
		var out struct {
			Status   string `json:"status"`
			ObjectID string `json:"object_id"`
		}
		if err := s.call(ctx, "remember", arguments, &out); err != nil {
			return fmt.Errorf("turn %s: %w", t.ID, err)
		}
		s.mu.Lock()
		s.count[out.Status]++
		s.mu.Unlock()
		c.turnsOf[out.ObjectID] = append(c.turnsOf[out.ObjectID], t.ID)
	}
	return nil
}

// ask asks every question of the conversation.
func (s *server) ask(ctx context.Context, c *conversation) error {
	for _, q := range c.queries {
		arguments := map[string]any{
			"query": q.Question, "limit": 100, "max_tokens": 1_000_000, "min_relevance": 0,
			"scope": map[string]any{"project": id(c.name)},
		}
		if q.Datetime != "" {
			arguments["reference_time"] = q.Datetime
		}
		var out struct {
			Memories []struct {
				ObjectID string `json:"object_id"`
			} `json:"memories"`
		}
		if err := s.call(ctx, "recall", arguments, &out); err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		ranked := []string{}
		for _, m := range out.Memories {
			ranked = append(ranked, c.turnsOf[m.ObjectID]...)
		}
		c.ranked = append(c.ranked, ranked)
	}
	return nil
}

// id turns a name of the data into an id of the server, the same for the same name.
func id(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, name)
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return fmt.Sprintf("%.80s-%08x", clean, h.Sum32())
}
