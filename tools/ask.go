package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
)

// Asker asks the user of the client that a call came from, in place.
type Asker interface {
	// Ask puts a question and returns what became of it; that nobody can be asked is an outcome too. It returns
	// ctxmcp.ErrAsking, which the handler returns as it is, if the question ends the call: the client then calls again with
	// the answer, and keep is what Kept gives that call. It returns other errors only for a call that cannot go on. A call
	// asks one question.
	Ask(ctx context.Context, q ctxmcp.Question, keep any) (ctxmcp.Answer, error)
	// Kept reports whether the call continues one that asked, and reads what that one kept. It returns CodeInvalid if what
	// the client brings is not what it was given.
	Kept(ctx context.Context, into any) (bool, error)
}

// ask puts a question to the user, if anything can. done is what the call has done, and once will not do again.
func (c call) ask(ctx context.Context, q ctxmcp.Question, done any) (ctxmcp.Answer, error) {
	if c.Asker == nil {
		return ctxmcp.Answer{Outcome: ctxmcp.Unsupported}, nil
	}
	defer awaitPerson(ctx)()
	return c.Asker.Ask(ctx, q, done)
}

// once does what a call does before it asks, and returns what came of it. It is done once, though the client calls again
// with the answer.
func once[T any](ctx context.Context, c call, do func() (T, error)) (T, error) {
	if c.Asker == nil {
		return do()
	}
	var done T
	if again, err := c.Asker.Kept(ctx, &done); again || err != nil {
		return done, err
	}
	return do()
}
