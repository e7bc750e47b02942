package tools

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// BriefURI is the resource that holds the brief of the default scope.
const BriefURI = "ctx://brief"

const briefDoc = "What memory holds of the user and the project: constraints, preferences, decisions, people, the latest, what is to be done."

// addBrief offers the brief of the default scope as a resource and as a prompt.
func (s *Services) addBrief(m *server.MCPServer) {
	m.AddResource(mcp.NewResource(BriefURI, "brief", mcp.WithResourceDescription(briefDoc), mcp.WithMIMEType("text/plain")),
		func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			defer s.working()()
			text, err := s.briefHere(ctx)
			if err != nil {
				return nil, err
			}
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: request.Params.URI, MIMEType: "text/plain", Text: text}}, nil
		})
	m.AddPrompt(mcp.NewPrompt("brief", mcp.WithPromptDescription(briefDoc)),
		func(ctx context.Context, _ mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			defer s.working()()
			text, err := s.briefHere(ctx)
			if err != nil {
				return nil, err
			}
			return mcp.NewGetPromptResult("What memory holds", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))}), nil
		})
}

// briefHere returns the brief of who calls, framed as data.
func (s *Services) briefHere(ctx context.Context) (string, error) {
	by, ok := s.Caller(ctx)
	if !ok {
		return "", ctxmcp.Errorf(ctxmcp.CodeDenied, "the caller is not known")
	}
	text, held, err := s.brief(ctx, by, memory.Ask{})
	if err != nil || !held {
		return text, err
	}
	return framed(text), nil
}

// brief returns the text of a brief of the default scope, and whether memory holds any of it.
func (s *Services) brief(ctx context.Context, by ctxmcp.Caller, ask memory.Ask) (text string, held bool, err error) {
	at, err := by.Resolve(ctxmcp.Scope{}, s.Defaults)
	if err != nil {
		return "", false, err
	}
	c := call{by: by, at: at, Services: s}
	ask.Scope, ask.Price = at, c.priceOfEntry
	r, err := s.Memory.Recall(ctx, by, ask)
	if err != nil {
		return "", false, err
	}
	return c.recalled(r).text, r.Read, nil
}

// Brief returns what memory holds of the caller in the default scope, framed as data, in at most the given tokens; "" if it holds nothing.
func (s *Services) Brief(ctx context.Context, by ctxmcp.Caller, most int) (string, error) {
	text, held, err := s.brief(ctx, by, memory.Ask{MaxTokens: most - s.Memory.Counter.Count(framed(""))})
	if err != nil || !held {
		return "", err
	}
	return framed(text), nil
}

// framed puts the delimiters of data around what memory holds.
func framed(text string) string {
	text, _ = containment.Neutralise(text)
	return containment.Frame(containment.Nonce(nil, "memory", text), "memory", text)
}

// mostIntroduced is how many tokens of a brief stand in the instructions, with the delimiters around them.
const mostIntroduced = 200

// Introduced returns the instructions with a short brief for the caller behind them: of what the user said, and framed as data.
// Without memories it returns them as they are.
func (s *Services) Introduced(ctx context.Context, by ctxmcp.Caller, instructions string) (string, error) {
	around := s.Memory.Counter.Count(introduction + framed(""))
	text, held, err := s.brief(ctx, by, memory.Ask{MaxTokens: mostIntroduced - around, SaidOnly: true})
	if err != nil || !held {
		return instructions, err
	}
	return fmt.Sprintf("%s\n\n%s%s", instructions, introduction, framed(text)), nil
}

const introduction = "What memory holds, in short; recall tells more:\n"
