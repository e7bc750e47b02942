package labelled

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/eval/driver"
)

// Server is a running ctx-mcp that conversations are told to.
type Server struct {
	*driver.Client

	mu    sync.Mutex // guards count
	count map[string]int
}

// Start starts the binary as driver.Stdio does.
func Start(ctx context.Context, binary, dataDir string, env ...string) (*Server, error) {
	c, err := driver.Stdio(ctx, binary, dataDir, env...)
	return &Server{Client: c, count: map[string]int{}}, err
}

// Outcomes returns the number of turns that were stored, confirmed and so on.
func (s *Server) Outcomes() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Store remembers every turn of the conversation, in order.
func (s *Server) Store(ctx context.Context, c *Conversation) error {
	for _, t := range c.Turns {
		kind := "user_statement"
		if t.Speaker == "assistant" {
			kind = "document"
		}
		arguments := map[string]any{
			"content": t.Content(), "source": map[string]any{"kind": kind}, "level": "project",
			"scope": map[string]any{"project": ID(c.Name), "session": ID(t.Session)},
		}
		if t.Speaker != "" {
			arguments["author"] = t.Speaker
		}
		if t.Datetime != "" {
			arguments["observed_at"] = t.Datetime
		}
		if strings.TrimSpace(t.Content()) == "" {
			continue
		}
		var out struct {
			Status   string `json:"status"`
			ObjectID string `json:"object_id"`
		}
		if err := s.Call(ctx, "remember", arguments, &out); err != nil {
			return fmt.Errorf("turn %s: %w", t.ID, err)
		}
		s.mu.Lock()
		s.count[out.Status]++
		s.mu.Unlock()
		c.TurnsOf[out.ObjectID] = append(c.TurnsOf[out.ObjectID], t.ID)
	}
	return nil
}

// ID turns a name of the data into an id of the server, the same for the same name.
func ID(name string) string {
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
