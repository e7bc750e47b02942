package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/opinion"
	"github.com/ctx-mcp/ctx-mcp/connect"
	"github.com/ctx-mcp/ctx-mcp/llm/chat"
	"github.com/ctx-mcp/ctx-mcp/postgres"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
)

// usualServers are the addresses of Ollama, LM Studio, llama.cpp and vLLM unless they are told otherwise.
var usualServers = []string{"http://127.0.0.1:11434/v1", "http://127.0.0.1:1234/v1", "http://127.0.0.1:8080/v1", "http://127.0.0.1:8000/v1"}

// embedding matches the names of models that make vectors, of the families that are often served.
var embedding = regexp.MustCompile(`(?i)embed|minilm|\bbge\b|\bgte\b|\be5\b`)

// offered says how to switch on the embeddings that a server on this machine offers, or "".
func (p *patient) offered(ctx context.Context) string {
	for _, base := range p.local {
		models := modelsAt(ctx, base)
		if i := slices.IndexFunc(models, embedding.MatchString); i >= 0 {
			return fmt.Sprintf(".\n%s serves them; these two lines switch them on, before ctx-mcp connect or a server:\nexport CTX_MCP_EMBEDDINGS_BASE_URL=%s\nexport CTX_MCP_EMBEDDINGS_MODEL=%s",
				base, base, quoted(models[i]))
		}
	}
	return ""
}

// mostListed is the size, in bytes, of a list of models that is read.
const mostListed = 1 << 20

// modelsAt returns the models of an OpenAI-compatible server, none if there is no server.
func modelsAt(ctx context.Context, base string) (names []string) {
	timed, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	request, err := http.NewRequestWithContext(timed, http.MethodGet, base+"/models", nil)
	if err != nil {
		return nil
	}
	own := &http.Client{Transport: &http.Transport{}} // no proxy stands before this machine
	defer own.CloseIdleConnections()
	answer, err := own.Do(request)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if json.NewDecoder(io.LimitReader(answer.Body, mostListed)).Decode(&list) != nil {
		return nil
	}
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names
}

func checkChat(ctx context.Context, p *patient) (string, error) {
	c := p.config
	if c.ChatURL == "" {
		return "none configured: long conversations are summarised by their own sentences", nil
	}
	client, err := chat.New(chat.Options{BaseURL: c.ChatURL, Model: c.ChatModel, APIKey: c.ChatKey, Timeout: c.Outside(c.ChatTimeout)})
	if err != nil {
		return "", err
	}
	if _, err := client.Summarize(ctx, "The doctor asks whether this endpoint answers.", 20); err != nil {
		return "", err
	}
	return c.ChatModel + " answers", nil
}

// checkJudge asks the model that answers in the place of a person a question, and reads the answer as the judge does.
func checkJudge(ctx context.Context, p *patient) (string, error) {
	if !p.config.PolicyJudge {
		return "off: every question is put to a person", nil
	}
	client, err := judgeOf(p.config)
	if err != nil {
		return "", err
	}
	if failed := (opinion.Reader{Model: client}).Try(ctx); failed != "" {
		return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s: every question is put to a person", failed).
			WithHint("look at chat.base_url and chat.model, or raise policy.judge_timeout")
	}
	return client.Name() + " answers as it is asked to", nil
}

func checkClients(_ context.Context, p *patient) (string, error) {
	place, err := placeHere(p.sys)
	if err != nil {
		return "", err
	}
	server, err := serverEntry(p.config)
	if err != nil {
		return "", err
	}
	var joined, free []string
	for _, s := range place.States(server) {
		switch {
		case s.Err != nil:
			return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the configuration of %s cannot be read", s.Client.Title).WithCause(s.Err).
				WithHint("repair %s", place.Shown(s.Path))
		case s.Target != "":
			joined = append(joined, s.Client.Title+" ("+string(s.Scope)+")")
		case s.Scope == connect.User:
			free = append(free, s.Client.Title)
		}
	}
	switch {
	case len(joined) > 0:
		return "connected: " + strings.Join(joined, ", "), nil
	case len(free) > 0:
		return "found, and none connected: " + strings.Join(free, ", ") + "; ctx-mcp connect does it", nil
	}
	return "none found here", nil
}

func checkTokens(ctx context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	all, err := (&access.Service{Store: p.store, Now: p.sys.now, Random: p.sys.random}).List(ctx)
	if err != nil {
		return "", err
	}
	ended := 0
	for _, t := range all {
		if !t.Expires.IsZero() && !t.Expires.After(p.sys.now()) {
			ended++
		}
	}
	switch {
	case len(all) == 0:
		return "none: ctx-mcp http serves this machine alone, and asks for none", nil
	case ended > 0:
		return fmt.Sprintf("%d, of which %d have expired: ctx-mcp token list", len(all), ended), nil
	}
	return fmt.Sprint(len(all)), nil
}

// checkFence tells whether row-level security keeps tenants apart in the database beside the statements, for the role of this server.
func checkFence(ctx context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	if p.config.Store == "" {
		return "none: it is for PostgreSQL", nil
	}
	b, err := postgres.BindingAt(ctx, p.config.Store)
	switch {
	case err != nil:
		return "", err
	case len(b.Open) > 0:
		return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "it is off for %s", strings.Join(b.Open, ", ")).
			WithHint("let the owner of the tables run ALTER TABLE … ENABLE ROW LEVEL SECURITY")
	case len(b.Past) > 0:
		return fmt.Sprintf("on, but it does not bind the role %s: %s; let the servers connect as another role", b.Role, strings.Join(b.Past, ", ")), nil
	}
	return "on, and it binds the role " + b.Role, nil
}

func checkAddress(ctx context.Context, p *patient) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.config.Addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return p.config.Addr + " is in use: a server runs there, or ctx-mcp http needs another with --addr", nil
	case err != nil:
		return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "ctx-mcp http cannot listen on %s", p.config.Addr).WithCause(err).WithHint("choose another with http.addr")
	}
	return p.config.Addr + " is free for ctx-mcp http", l.Close()
}
