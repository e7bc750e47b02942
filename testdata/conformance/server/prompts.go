package main

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// prompt is a fixture that the suite gets by its name.
type prompt struct {
	name      string
	does      string
	arguments []string // all required
	run       server.PromptHandlerFunc
}

var prompts = []prompt{
	{name: "test_simple_prompt", does: "One message", run: says(text("This is a simple prompt for testing."))},
	{name: "test_prompt_with_arguments", does: "Its arguments", arguments: []string{"arg1", "arg2"},
		run: func(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			a := r.Params.Arguments
			return says(text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])))(ctx, r)
		}},
	{name: "test_prompt_with_embedded_resource", does: "A resource", arguments: []string{"resourceUri"},
		run: func(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return says(
				mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: r.Params.Arguments["resourceUri"],
					MIMEType: "text/plain", Text: "Embedded resource content for testing."}),
				text("Please process the embedded resource above."))(ctx, r)
		}},
	{name: "test_prompt_with_image", does: "An image",
		run: says(mcp.NewImageContent(image, "image/png"), text("Please analyze the image above."))},
	{name: "test_input_required_result_prompt", does: "Asks the user before it answers", run: askForContext},
}

func addPrompts(s *server.MCPServer) {
	for _, p := range prompts {
		addPrompt(s, p)
	}
}

func addPrompt(s *server.MCPServer, p prompt) {
	options := []mcp.PromptOption{mcp.WithPromptDescription(p.does)}
	for _, name := range p.arguments {
		options = append(options, mcp.WithArgument(name, mcp.ArgumentDescription("A test argument"), mcp.RequiredArgument()))
	}
	s.AddPrompt(mcp.NewPrompt(p.name, options...), p.run)
}

func text(s string) mcp.Content { return mcp.NewTextContent(s) }

// says returns a prompt that gives each part in a message of its own.
func says(parts ...mcp.Content) server.PromptHandlerFunc {
	return func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		out := &mcp.GetPromptResult{}
		for _, part := range parts {
			out.Messages = append(out.Messages, mcp.NewPromptMessage(mcp.RoleUser, part))
		}
		return out, nil
	}
}

func askForContext(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	questions := []question{field("user_context", "What context should the prompt use?", "context")}
	answers, complete := read(r.Params.InputResponses, questions)
	if !complete {
		return ask(questions, "").PromptResult(), nil
	}
	return says(text("Use this context: "+answers[0]))(ctx, r)
}
