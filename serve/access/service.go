package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Store keeps tokens. It decides nothing: an expired or revoked token is found like any other. Implementations are safe
// for concurrent use, and durable once a method that writes has returned.
type Store interface {
	// SaveToken adds a token. It returns a CodeConflict Error if the id is taken.
	SaveToken(ctx context.Context, t Token) error
	// FindToken returns the token with the id, by an index. It returns a CodeNotFound Error if there is none.
	FindToken(ctx context.Context, id string) (*Token, error)
	// ListTokens returns every token, ordered by Created and then by ID.
	ListTokens(ctx context.Context) ([]Token, error)
	// RevokeToken sets Revoked, once: a token that is revoked keeps its first instant. It returns a CodeNotFound Error if
	// there is no such token.
	RevokeToken(ctx context.Context, id string, at time.Time) error
}

// Service makes, checks, lists and revokes tokens. Its fields are set once, before use.
type Service struct {
	Store  Store
	Now    func() time.Time
	Random io.Reader // cryptographically secure, as crypto/rand.Reader is
}

func (s *Service) now() time.Time { return ctxmcp.Instant(s.Now()) }

// Create makes a token and returns it with its text, ctx_<id>_<secret>, which cannot be had again. It returns a
// CodeInvalid Error for a draft that is wrong, and those of Store.SaveToken.
func (s *Service) Create(ctx context.Context, d Draft) (Token, string, error) {
	t, err := d.token(s.now())
	if err != nil {
		return Token{}, "", err
	}
	id, secret, err := generate(s.Random)
	if err != nil {
		return Token{}, "", fmt.Errorf("make a token: %w", err)
	}
	t.ID, t.Digest = id, digest(secret)
	if err := s.Store.SaveToken(ctx, t); err != nil {
		return Token{}, "", fmt.Errorf("save token %s: %w", id, err)
	}
	return t, write(id, secret), nil
}

// Authenticate returns the caller that the bearer of the text acts as. It returns a CodeDenied Error, always the same,
// for anything but the text of an active token, and CodeUnavailable if the store cannot tell.
func (s *Service) Authenticate(ctx context.Context, bearer string) (ctxmcp.Caller, error) {
	id, secret, ok := parse(bearer)
	if !ok {
		return ctxmcp.Caller{}, denied(errors.New("it is malformed"))
	}
	t, err := s.Store.FindToken(ctx, id)
	if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound {
		return ctxmcp.Caller{}, denied(err)
	}
	if err != nil {
		return ctxmcp.Caller{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "tokens cannot be checked at the moment").
			WithHint("try again").WithCause(err)
	}
	if err := t.admits(secret, s.now()); err != nil {
		return ctxmcp.Caller{}, denied(fmt.Errorf("token %s: %w", id, err))
	}
	return t.Caller, nil
}

// admits returns why the secret does not open the token at the instant, or nil. Its caller is checked again: a row
// that somebody edited must not give more than any token can, as an authority below 0 would.
func (t Token) admits(secret string, at time.Time) error {
	if !t.holds(secret) {
		return errors.New("wrong secret")
	}
	if state := t.State(at); state != Active {
		return fmt.Errorf("it is %s", state)
	}
	return checkCaller(t.Caller)
}

// denied returns the one answer to anything but a valid token. why is for the log.
func denied(why error) error {
	return ctxmcp.Errorf(ctxmcp.CodeDenied, "the bearer token is not valid").
		WithHint("ask the operator for a token: ctx-mcp token create").WithCause(why)
}

// List returns every token, revoked and expired ones too, ordered by Created and then by ID.
func (s *Service) List(ctx context.Context) ([]Token, error) {
	tokens, err := s.Store.ListTokens(ctx)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	return tokens, nil
}

// Revoke makes a token worthless from now on. Revoking it again changes nothing. It returns CodeInvalid for a text
// that is not an id, and CodeNotFound if there is no such token.
func (s *Service) Revoke(ctx context.Context, id string) error {
	if !idForm.MatchString(id) { // it is not quoted: it may be a whole token
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "that is not the id of a token").
			WithHint("an id is the %d characters between %q and the next _; ctx-mcp token list shows them", idLength, prefix)
	}
	if err := s.Store.RevokeToken(ctx, id, s.now()); err != nil {
		return fmt.Errorf("revoke token %s: %w", id, err)
	}
	return nil
}
