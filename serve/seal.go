package serve

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// sealLife is how long an answer may take where nothing waits for it.
const sealLife = time.Hour

// sealed is the state that a client carries from the call that asked to the call that brings the answer. It is not secret.
type sealed struct {
	Question string          `json:"q"` // digest of the question
	Until    time.Time       `json:"u"` // the end of sealLife
	Kept     json.RawMessage `json:"k"`
}

var errSeal = ctxmcp.Errorf(ctxmcp.CodeInvalid, "requestState does not belong to this call").
	WithHint("send back what the server gave, with the same arguments, or call again without it")

// errNoKey is a fault of the program: without a key anybody could make seals.
var errNoKey = errors.New("an Asker needs a Key")

// seal returns a requestState: the text of a sealed and a MAC over it and the call that it belongs to.
func (a *Asker) seal(ctx context.Context, round *round, q ctxmcp.Question, keep any) (string, error) {
	kept, err := json.Marshal(keep)
	if err != nil {
		return "", fmt.Errorf("keep what was done: %w", err)
	}
	text, err := json.Marshal(sealed{digest(q), a.Now().Add(sealLife), kept})
	if err != nil {
		return "", fmt.Errorf("seal: %w", err)
	}
	sum, err := a.mac(ctx, round, text)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(text) + "." + base64.RawURLEncoding.EncodeToString(sum), nil
}

// unseal returns the state that the call carries, or the zero value.
func (a *Asker) unseal(ctx context.Context, round *round) (sealed, error) {
	if round.call.RequestState == "" {
		return sealed{}, nil
	}
	first, second, _ := strings.Cut(round.call.RequestState, ".")
	text, err := base64.RawURLEncoding.Strict().DecodeString(first)
	if err != nil {
		return sealed{}, errSeal
	}
	sum, err := base64.RawURLEncoding.Strict().DecodeString(second)
	if err != nil {
		return sealed{}, errSeal
	}
	want, err := a.mac(ctx, round, text)
	if err != nil {
		return sealed{}, err
	}
	if !hmac.Equal(sum, want) {
		return sealed{}, errSeal
	}
	var s sealed
	return s, json.Unmarshal(text, &s)
}

// mac binds text to the caller, the tool and the arguments of the call.
func (a *Asker) mac(ctx context.Context, round *round, text []byte) ([]byte, error) {
	if len(a.Key) == 0 {
		return nil, errNoKey
	}
	arguments, err := argumentsOf(round)
	if err != nil {
		return nil, err
	}
	caller, _ := CallerFrom(ctx)
	bound, err := json.Marshal([]any{"requestState 1", caller, round.call.Name, arguments, text})
	if err != nil {
		return nil, fmt.Errorf("bind a requestState: %w", err)
	}
	m := hmac.New(sha256.New, a.Key)
	m.Write(bound)
	return m.Sum(nil), nil
}

// argumentsOf returns the arguments of a call as a value, which does not depend on the order of their fields or on spaces.
func argumentsOf(round *round) (any, error) {
	text := []byte(round.call.RawArguments)
	if len(text) == 0 {
		var err error
		if text, err = json.Marshal(round.call.Arguments); err != nil {
			return nil, fmt.Errorf("read the arguments: %w", err)
		}
	}
	arguments, err := ijson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read the arguments: %w", err)
	}
	return arguments, nil
}

// digest tells one question from another.
func digest(q ctxmcp.Question) string {
	text, err := json.Marshal(q)
	if err != nil { // strings only
		panic(err)
	}
	return ctxmcp.Digest(text)
}
