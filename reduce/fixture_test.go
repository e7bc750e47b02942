package reduce

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// keeper keeps artifacts in memory.
type keeper struct {
	mu    sync.Mutex
	kept  map[string]string
	fails error
}

func newKeeper() *keeper { return &keeper{kept: map[string]string{}} }

func (k *keeper) KeepOnce(_ context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d artifacts.Draft, _ artifacts.Original) (ctxmcp.Artifact, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fails != nil {
		return ctxmcp.Artifact{}, k.fails
	}
	id := artifacts.OnceID(by, at, d)
	k.kept[id] = d.Content
	return ctxmcp.Artifact{ID: id}, nil
}

func (k *keeper) Text(_ context.Context, _ ctxmcp.Caller, _ ctxmcp.Scope, id string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	text, known := k.kept[id]
	if !known {
		return "", ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no artifact")
	}
	return text, nil
}

func newService(k Keeper) *Service {
	r := redact.New([]byte("key"))
	return &Service{
		Keeper: k, Key: []byte("key of the installation"), Now: func() time.Time { return time.Unix(0, 0) }, Logger: slog.New(slog.DiscardHandler),
		Redact: r.Func(),
	}
}

// violations returns what a provider would refuse, by the words of the rules that OpenAI and Anthropic enforce.
func violations(f Format, raw []json.RawMessage) []string {
	all, err := decode(f, raw)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	bad := func(i int, rule string) { found = append(found, fmt.Sprintf("message %d: %s", i, rule)) }
	lead := leading(all)
	if lead == len(all) || all[lead].role != User || len(all[lead].answers()) > 0 {
		bad(lead, "first-not-user")
	}
	ids, waiting := map[string]bool{}, map[string]bool{}
	for i := lead; i < len(all); i++ {
		m := &all[i]
		if m.leads() {
			bad(i, "late-system")
		}
		if m.role != ToolRole && m.empty() {
			bad(i, "empty")
		}
		for _, p := range m.parts {
			if p.kind == textPart && strings.TrimSpace(p.text) == "" {
				bad(i, "empty text")
			}
		}
		for _, id := range m.answers() {
			if !waiting[id] {
				bad(i, "orphan-result or double-answer of "+id)
			}
			delete(waiting, id)
		}
		if !slices.IsSortedFunc(m.parts, func(a, b part) int { return btoi(a.kind != resultPart) - btoi(b.kind != resultPart) }) && m.role == User {
			bad(i, "result-order")
		}
		if m.role != ToolRole && len(m.answers()) == 0 && len(waiting) > 0 || len(waiting) > 0 && f == Anthropic {
			bad(i, "unanswered")
			waiting = map[string]bool{}
		}
		for _, p := range m.parts {
			if p.kind != callPart {
				continue
			}
			if ids[p.id] || p.id == "" || p.name == "" || !isObject(p.args) && !strings.Contains(string(p.raw), `"custom"`) {
				bad(i, "dup-id, no-name or bad-args of "+p.id)
			}
			ids[p.id], waiting[p.id] = true, true
		}
	}
	if len(waiting) > 0 || all[len(all)-1].role == Assistant {
		bad(len(all)-1, "unanswered or ends-assistant")
	}
	return found
}
