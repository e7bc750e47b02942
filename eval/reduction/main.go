// Command reduction measures the reduction of conversations: it passes labelled transcripts through reduce_messages of a real ctx-mcp
// server over MCP.
//
// With -ratios it cuts each transcript where the labels say, has the beginning reduced to these shares of its tokens, and writes what
// came back, with the artifacts, for the scorer; then it asks for everything that the messages no longer hold with one get_artifact
// call each. With -conclusions the labels are those of the conclusions; every third conversation, by the name of its file, is left
// alone unless -blind asks for these, and these alone. With -limit it replays whole sessions turn by turn under a limit, and writes the
// requests for the cache simulator.
//
// The data stays outside the repository.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/eval/driver"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	binary := flag.String("server", "bin/ctx-mcp", "the server's binary")
	data := flag.String("transcripts", "", "folder of transcripts with their facts")
	out := flag.String("out", "", "folder for the results")
	ratios := flag.String("ratios", "", "shares of the tokens to reduce to, in percent, separated by commas")
	limit := flag.Int("limit", 0, "replay whole sessions under this limit of tokens")
	conclusions := flag.String("conclusions", "", "folder of transcripts with their conclusions, in the place of facts")
	blind := flag.Bool("blind", false, "every third conversation with conclusions, instead of the others")
	program.Main("eval reduction", func(ctx context.Context) error {
		read := func() ([]session, error) { return readSessions(*data) }
		if *conclusions != "" {
			read = func() ([]session, error) { return readConclusions(*conclusions, *data, *blind) }
		}
		return measure(ctx, *binary, read, *out, *ratios, *limit)
	})
}

func measure(ctx context.Context, binary string, read func() ([]session, error), out, ratios string, limit int) error {
	dir, err := os.MkdirTemp("", "ctx-mcp-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := start(ctx, binary, dir)
	if err != nil {
		return err
	}
	defer s.stop()
	sessions, err := read()
	if err != nil {
		return err
	}
	for _, text := range strings.FieldsFunc(ratios, func(r rune) bool { return r == ',' }) {
		percent, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		if err := s.cutAll(ctx, sessions, percent, filepath.Join(out, text)); err != nil {
			return err
		}
	}
	if limit > 0 {
		return s.replayAll(ctx, sessions, limit, out)
	}
	return nil
}

// session is a transcript with the places where it is cut.
type session struct {
	ID       string
	Format   conversation.Format
	Least    int // tokens: a share of them is no less
	Messages []json.RawMessage
	Cuts     []struct {
		Cut   int
		Facts []struct {
			Text string `json:"s"`
		}
	}
}

func readSessions(data string) ([]session, error) {
	paths, err := filepath.Glob(filepath.Join(data, "facts", "*.facts.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("there are no facts in %s: %w", data, errors.Join(err, os.ErrNotExist))
	}
	var all []session
	for _, path := range paths {
		var s session
		raw, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(raw, &s)
		}
		if err == nil {
			s.Messages, err = labelled.Read[json.RawMessage](filepath.Join(data, s.ID+".jsonl"))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// server is a running ctx-mcp, spoken to over HTTP.
type server struct {
	*driver.Client
	process *driver.Process
}

func start(ctx context.Context, binary, dir string) (*server, error) {
	env := append(os.Environ(), "CTX_MCP_LIMITS_CALL_TIMEOUT=5m") // on a busy machine the figures are the same
	p, err := driver.Start(driver.Options{Binary: binary, Data: dir, Env: env})
	if err != nil {
		return nil, err
	}
	c, err := p.Connect(ctx, nil)
	return &server{c, p}, err
}

func (s *server) stop() {
	s.Close()
	_ = s.process.Stop() // the figures are there by then
}

// reduced has the fields of an answer of reduce_messages that are needed.
type reduced struct {
	Messages     []json.RawMessage
	TokensBefore int `json:"tokens_before"`
	TokensAfter  int `json:"tokens_after"`
	Artifacts    []struct {
		ID string `json:"artifact_id"`
	}
	State    json.RawMessage
	Warnings []string
}
