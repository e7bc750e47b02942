package reduce

import (
	"cmp"
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
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// keeper keeps artifacts in memory.
type keeper struct {
	mu    sync.Mutex
	kept  map[string]string
	held  map[string]time.Time
	fails error
}

func newKeeper() *keeper { return &keeper{kept: map[string]string{}, held: map[string]time.Time{}} }

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

func (k *keeper) Hold(_ context.Context, _ ctxmcp.Caller, _ string, ids []string, until time.Time) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range ids {
		k.held[id] = until
	}
	return nil
}

func newService(k Keeper) *Service {
	r := redact.New([]byte("key"))
	return &Service{
		Keeper: k, Key: []byte("key of the installation"), Now: func() time.Time { return time.Unix(0, 0) }, Logger: slog.New(slog.DiscardHandler),
		Redact: r.Func(),
	}
}

// order puts results before the rest.
var order = map[bool]int{true: 0, false: 1}

// inOneTurn are the formats in which all results of a turn are one message.
var inOneTurn = map[conversation.Format]bool{conversation.Anthropic: true, conversation.Bedrock: true, conversation.Gemini: true}

// violations returns what a provider would refuse, by the words of the rules that OpenAI and Anthropic enforce.
func violations(f conversation.Format, raw []json.RawMessage) []string {
	all, err := conversation.Decode(f, raw)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	bad := func(i int, rule string) { found = append(found, fmt.Sprintf("message %d: %s", i, rule)) }
	lead := conversation.Leading(all)
	if lead == len(all) || all[lead].Role != conversation.User || len(all[lead].Answers()) > 0 {
		bad(lead, "first-not-user")
	}
	ids, waiting := map[string]bool{}, map[string]bool{}
	for i := lead; i < len(all); i++ {
		m := &all[i]
		if m.Leads() {
			bad(i, "late-system")
		}
		if m.Role != conversation.ToolRole && m.Empty() {
			bad(i, "empty")
		}
		for _, p := range m.Parts {
			if p.Kind == conversation.Text && strings.TrimSpace(p.Text) == "" {
				bad(i, "empty text")
			}
		}
		for _, id := range m.Answers() {
			if !waiting[id] {
				bad(i, "orphan-result or double-answer of "+id)
			}
			delete(waiting, id)
		}
		if !slices.IsSortedFunc(m.Parts, func(a, b conversation.Part) int {
			return cmp.Compare(order[a.Kind == conversation.Result], order[b.Kind == conversation.Result])
		}) && m.Role == conversation.User {
			bad(i, "result-order")
		}
		if m.Role != conversation.ToolRole && len(m.Answers()) == 0 && len(waiting) > 0 && !(f == conversation.Responses && m.Role == conversation.Assistant) || len(waiting) > 0 && inOneTurn[f] {
			bad(i, "unanswered")
			waiting = map[string]bool{}
		}
		for _, p := range m.Parts {
			if p.Kind != conversation.Call {
				continue
			}
			if ids[p.ID] && !p.Given || p.ID == "" || p.Name == "" || !conversation.IsObject(p.Args) && !strings.Contains(string(p.Raw), `"custom"`) {
				bad(i, "dup-id, no-name or bad-args of "+p.ID)
			}
			ids[p.ID], waiting[p.ID] = true, true
		}
	}
	if len(waiting) > 0 || all[len(all)-1].Role == conversation.Assistant {
		bad(len(all)-1, "unanswered or ends-assistant")
	}
	return found
}
