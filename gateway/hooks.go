package gateway

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/guard"
)

// conversationOf returns the conversation of a call. Where the client's hooks have announced the call, and the client says which one it is, that
// is the conversation that the hooks hear; done is then to be called once the result is recorded. Else the gateway keeps one of its own.
func (g *Gateway) conversationOf(ctx context.Context, r request) (c guard.Conversation, done func()) {
	if g.Hooks != nil && r.peer.Caller.User != "" {
		if c, done := g.claimed(ctx, r); done != nil {
			return c, done
		}
	}
	return g.talks.of(r.peer, g.Options.Project), nil
}

// claimed asks the hooks whose a call is. The ids by which that is told are the client's, from beside the arguments, which are the model's.
func (g *Gateway) claimed(ctx context.Context, r request) (guard.Conversation, func()) {
	in := guard.Claim{
		Tenant: r.peer.Caller.Tenant, User: r.peer.Caller.User,
		Call: guard.CallDigest(nameOf(r.sent, "name"), member(r.sent, "arguments")), IDs: idsIn(member(r.sent, "_meta")),
	}
	if in.Call == "" || len(in.IDs) == 0 {
		return guard.Conversation{}, nil
	}
	got, ok := g.Hooks.Claim(ctx, in)
	if !ok {
		return guard.Conversation{}, nil
	}
	done := func() { g.Hooks.Recorded(in.Call, got.Conversation) }
	if err := g.Guard.TakeOver(ctx, r.peer.Caller, got.Conversation, got.Words); err != nil {
		done()
		return guard.Conversation{}, nil
	}
	return got.Conversation, done
}

// The bounds of what is taken for the id of a call or of a conversation: texts of that length, at most so many, in objects so deep.
const (
	leastID  = guard.LeastID
	mostID   = 200
	maxIDs   = 20
	idsDepth = 3
)

// idsIn returns the texts in the _meta of a call that can be ids, sorted. Clients have names of their own for them: claudecode/toolUseId, callId,
// vscode.conversationId, and the session_id in x-codex-turn-metadata.
func idsIn(meta json.RawMessage) []string {
	var v any
	if json.Unmarshal(meta, &v) != nil {
		return nil
	}
	all := map[string]bool{}
	var look func(v any, depth int)
	look = func(v any, depth int) {
		switch v := v.(type) {
		case string:
			if len(v) >= leastID && len(v) <= mostID {
				all[v] = true
			}
		case map[string]any:
			for _, of := range v {
				if depth > 0 {
					look(of, depth-1)
				}
			}
		}
	}
	look(v, idsDepth)
	if len(all) > maxIDs {
		return nil
	}
	return slices.Sorted(maps.Keys(all))
}
