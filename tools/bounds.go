package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/admission"
)

// Gate bounds how many heavy calls run at a time.
type Gate interface {
	// Enter returns once work of a size, which is 1 for a call, may begin for a caller; leave, which may be called twice,
	// ends it. It returns CodeUnavailable, with when to try again, if there is no room, and the error of ctx.
	Enter(ctx context.Context, by ctxmcp.Caller, size int64) (leave func(), err error)
}

type placeKey struct{}

// enter takes a place among the heavy calls, which leave gives up.
func (c call) enter(ctx context.Context) (within context.Context, leave func(), err error) {
	if c.Heavy == nil {
		return ctx, func() {}, nil
	}
	leave, err = c.Heavy.Enter(ctx, c.by, 1)
	return context.WithValue(ctx, placeKey{}, leave), leave, err
}

// awaitPerson stops the clock of a call until resume, and gives up its place among the heavy ones for good: the work of a
// call after the user's answer is small.
func awaitPerson(ctx context.Context) (resume func()) {
	if leave, ok := ctx.Value(placeKey{}).(func()); ok {
		leave()
	}
	return admission.Pause(ctx)
}

// boundResource is middleware that bounds the reading of a resource: it is content, and so always heavy.
func (s *Services) boundResource(next server.ResourceHandlerFunc) server.ResourceHandlerFunc {
	return func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return admission.Within(ctx, s.CallTimeout, func(ctx context.Context) ([]mcp.ResourceContents, error) {
			by, _ := s.Caller(ctx) // who is unknown is refused by the resource
			ctx, leave, err := call{by: by, Services: s}.enter(ctx)
			if err != nil {
				return nil, err
			}
			defer leave()
			return next(ctx, request)
		})
	}
}

// boundPrompt is middleware that bounds the making of a prompt.
func (s *Services) boundPrompt(next server.PromptHandlerFunc) server.PromptHandlerFunc {
	return func(ctx context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return admission.Within(ctx, s.CallTimeout, func(ctx context.Context) (*mcp.GetPromptResult, error) { return next(ctx, request) })
	}
}
