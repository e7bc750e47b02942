package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Claim is a call that came to another front end than the one that hears its user: the front end asks for the conversation that announced it.
type Claim struct {
	Tenant string   `json:"tenant"`
	User   string   `json:"user"`
	Call   string   `json:"call"` // what CallDigest returns for it
	IDs    []string `json:"ids"`  // that the client sent with the call, beside its arguments
}

// LeastID is how long an id is that can say which call or conversation is meant: clients whose ids are short count them, and two count alike.
const LeastID = 16

// Claimed is the answer to a Claim: the conversation of the call, and what its user said since its last action. The zero value: there is
// none, or it is not certain which.
type Claimed struct {
	Conversation Conversation `json:"conversation"`
	Words        []string     `json:"words,omitempty"`
}

// CallDigest returns the digest that tells a call from another one: its tool, as the client calls it, and its arguments, whatever the order of their
// names and the white space between them; "" for arguments that are no object.
func CallDigest(tool string, arguments json.RawMessage) string {
	values := map[string]any{}
	if len(arguments) > 0 {
		d := json.NewDecoder(bytes.NewReader(arguments))
		d.UseNumber() // each digit counts
		if d.Decode(&values) != nil {
			return ""
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		return ""
	}
	return ctxmcp.Digest(strings.Join([]string{tool, string(text)}, "\x00"))
}

// HandOver returns what the user of a conversation said since its last action, for another process that is to record its next one. This
// process looks the session up again before it goes on with it.
func (g *Guard) HandOver(ctx context.Context, by ctxmcp.Caller, c Conversation) (words []string, err error) {
	err = g.in(ctx, by, c, func(s *session) error {
		words, s.heard = s.heard, nil
		s.handle, s.begun = "", false
		return nil
	})
	return words, err
}

// TakeOver has the next action of a conversation decided here, which is another process's otherwise, with the words that its user said since
// the last one.
func (g *Guard) TakeOver(ctx context.Context, by ctxmcp.Caller, c Conversation, words []string) error {
	s := g.live.take(by, c, g.Options.withDefaults().MaxSessions)
	return s.lock.Do(ctx, func() error {
		s.handle, s.begun = "", false // it may have ended there
		s.heard = append(s.heard, words...)
		s.heard = s.heard[max(0, len(s.heard)-maxHeard):]
		return nil
	})
}
