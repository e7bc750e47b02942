package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/hook"
	"github.com/ctx-mcp/ctx-mcp/hook/wire"
)

// hookClaims asks the server of the hooks of a data directory, where one runs, whose a call is that came to the gateway.
type hookClaims struct{ dir string }

// claimTimeout bounds one question: the call waits for the answer.
const claimTimeout = 3 * time.Second

// Claim implements gateway.Hooks.
func (h hookClaims) Claim(ctx context.Context, in guard.Claim) (out guard.Claimed, ok bool) {
	text, err := json.Marshal(in)
	if err != nil {
		return out, false
	}
	answer, err := h.ask(ctx, hook.Claim, text)
	if err != nil || string(answer[0]) != "0" || json.Unmarshal(answer[1], &out) != nil {
		return guard.Claimed{}, false
	}
	return out, out.Conversation.ID != ""
}

// Recorded implements gateway.Hooks. If the server has ended meanwhile, nobody waits.
func (h hookClaims) Recorded(call string, c guard.Conversation) {
	_, _ = h.ask(context.Background(), hook.Recorded, []byte(hook.Ticket(call, c)))
}

func (h hookClaims) ask(ctx context.Context, what string, input []byte) ([][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	return relay(ctx, h.dir, [][]byte{[]byte(wire.Version), []byte(what), input})
}
