// Command redaction measures redaction: it passes every labelled text through wrap_tool_result of a real ctx-mcp server over
// MCP, writes the results for the scorer, and then looks for every secret in all that the server has left behind: its data
// directory, its log at debug level, and its metrics.
//
// The data stays outside the repository.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/driver"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	server := flag.String("server", "bin/ctx-mcp", "the server's binary")
	cases := flag.String("cases", "", "labelled texts, JSON Lines")
	out := flag.String("out", "", "file for the results")
	program.Main("eval redaction", func(ctx context.Context) error { return measure(ctx, *server, *cases, *out) })
}

// text is a labelled text with the byte offsets of its secrets.
type text struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Secrets []struct {
		Start, End int
		Prefix     int
	} `json:"secrets"`
}

func measure(ctx context.Context, binary, path, out string) error {
	cases, err := labelled.Read[text](path)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "ctx-mcp-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := start(ctx, binary, dir)
	if err != nil {
		return err
	}
	began := time.Now()
	results, err := s.wrapAll(ctx, cases)
	if err != nil {
		return err
	}
	log.Printf("%d texts in %s", len(cases), time.Since(began).Round(time.Millisecond))
	if err := os.WriteFile(out, results, 0o644); err != nil {
		return err
	}
	left, err := s.stop(dir)
	if err != nil {
		return err
	}
	return search(left, cases)
}

// server is a running ctx-mcp whose log is kept.
type server struct {
	*driver.Client
	process *driver.Process
	log     *bytes.Buffer // complete when the process has stopped
}

func start(ctx context.Context, binary, dir string) (*server, error) {
	var log bytes.Buffer
	p, err := driver.Start(driver.Options{
		Binary: binary, Data: dir, Args: []string{"--log-level", "debug"}, Log: func(line string) { log.WriteString(line) },
	})
	if err != nil {
		return nil, err
	}
	c, err := p.Connect(ctx, nil)
	return &server{Client: c, process: p, log: &log}, err
}

func (s *server) wrapAll(ctx context.Context, cases []text) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for _, c := range cases {
		text, err := s.wrap(ctx, c, "auto")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		if err := e.Encode(map[string]string{"id": c.ID, "redacted_text": text}); err != nil {
			return nil, err
		}
		if _, err := s.wrap(ctx, c, "summary"); err != nil { // which keeps the whole as an artifact, however short
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	return out.Bytes(), nil
}

// wrap returns the text as the server redacts it.
func (s *server) wrap(ctx context.Context, c text, strategy string) (string, error) {
	var wrapped struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
	}
	err := s.Call(ctx, "wrap_tool_result", map[string]any{
		"tool_call_id": c.ID, "tool": "eval", "result": c.Text, "frame": false, "max_tokens": 1_000_000, "strategy": strategy,
	}, &wrapped)
	return wrapped.Message.Content, err
}

// stop reads the metrics, ends the server and returns all that it leaves behind, by name.
func (s *server) stop(dir string) (map[string][]byte, error) {
	left := map[string][]byte{}
	response, err := http.Get(strings.TrimSuffix(s.process.URL, "/mcp") + "/metrics")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if left["/metrics"], err = io.ReadAll(response.Body); err != nil {
		return nil, err
	}
	for _, killed := range []bool{false, true} { // first with the log of the database still there
		if killed {
			s.Close()
			if err := s.process.Stop(); err != nil {
				return nil, err
			}
			left["stderr"] = s.log.Bytes()
		}
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			left[fmt.Sprintf("%s (stopped: %v)", path, killed)] = content
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return left, nil
}

// shortest is the length in bytes below which a secret is not looked for: it may stand anywhere by chance.
const shortest = 8

// search looks for every secret that is long enough in all that was left.
func search(left map[string][]byte, cases []text) error {
	looked, leaks := 0, map[string][]string{} // id of a text -> where its secrets are
	for _, c := range cases {
		for _, secret := range c.Secrets {
			value := []byte(c.Text[secret.Start+secret.Prefix : secret.End])
			if len(value) < shortest {
				continue
			}
			looked++
			for name, content := range left {
				if bytes.Contains(content, value) {
					leaks[c.ID] = append(leaks[c.ID], name)
				}
			}
		}
	}
	log.Printf("at rest: %d secrets looked for in %d files, log and metrics: those of %d texts found", looked, len(left), len(leaks))
	for id, names := range leaks {
		log.Printf("  %s: %s", id, names[0])
	}
	if len(leaks) > 0 {
		return errors.New("secrets are left behind")
	}
	return nil
}
