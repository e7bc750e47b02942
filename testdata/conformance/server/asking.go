package main

import (
	"context"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// asking are the tools that need something of the client before they can answer. For a client of 2025-11-25 the library
// asks while the call runs; for one of 2026-07-28 the questions are the result, and the client calls again with answers.
var asking = []tool{
	{name: "test_elicitation", does: "Asks the user to fill a form", input: oneString("message"),
		run: func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return inquire(r, "User response: ", form("user", r.GetString("message", ""), userForm))
		}},
	{name: "test_elicitation_sep1034_defaults", does: "Asks with a form that has defaults",
		run: inquiry("Elicitation completed: ", form("user", "Please check the defaults", defaultsForm))},
	{name: "test_elicitation_sep1330_enums", does: "Asks with a form that has every kind of choice",
		run: inquiry("Elicitation completed: ", form("user", "Please choose", choicesForm))},
	{name: "test_sampling", does: "Asks the client's model while the call runs", input: oneString("prompt"), run: sample},
	{name: "test_missing_capability", does: "Needs a client with a model",
		run: inquiry("", completion("completion", "Say hello", 100))},
	{name: "test_streaming_elicitation", does: "Asks the user",
		run: inquiry("", field("user_name", "What is your name?", "name"))},

	{name: "test_input_required_result_elicitation", does: "Asks the user",
		run: inquiry("Hello, ", field("user_name", "What is your name?", "name"))},
	{name: "test_input_required_result_sampling", does: "Asks the client's model",
		run: inquiry("", completion("capital_question", "What is the capital of France?", 100))},
	{name: "test_input_required_result_list_roots", does: "Asks for the client's roots",
		run: inquiry("Roots: ", roots("client_roots"))},
	{name: "test_input_required_result_capabilities", does: "Asks for what the client can do", run: askWhatIsSupported},

	{name: "test_input_required_result_request_state", does: "Asks, and keeps its state with the client",
		run: sealedInquiry("state-ok: ", confirm)},
	{name: "test_input_required_result_tampered_state", does: "Asks, and refuses a state that it did not make",
		run: sealedInquiry("state-ok: ", confirm)},
	{name: "test_input_required_result_multiple_inputs", does: "Asks three things at once",
		run: sealedInquiry("All answered: ", everything)},
	{name: "test_input_required_result_multi_round", does: "Asks twice",
		run: sealedInquiry("All answered: ",
			[]question{field("step1", "Step 1: What is your name?", "name")},
			[]question{field("step2", "Step 2: What is your favorite color?", "color")})},
}

// sampleTimeout is short, because in the older revisions the library asks on a stream that the product does not offer.
const sampleTimeout = time.Second

func sample(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(ctx, sampleTimeout)
	defer cancel()
	//lint:ignore SA1019 the suite tests what is deprecated
	said, err := server.ServerFromContext(ctx).RequestSampling(ctx, mcp.CreateMessageRequest{
		Request:             mcp.Request{Method: string(mcp.MethodSamplingCreateMessage)},
		CreateMessageParams: promptOf(r.GetString("prompt", ""), 100),
	})
	if err != nil {
		return mcp.NewToolResultError("the client was not asked: " + err.Error()), nil
	}
	return mcp.NewToolResultText("LLM response: " + mcp.GetTextFromContent(said.Content)), nil
}

var (
	confirm    = []question{form("confirm", "Please confirm", confirmForm)}
	everything = []question{
		field("user_name", "What is your name?", "name"),
		completion("greeting", "Generate a greeting", 50),
		roots("client_roots"),
	}
)

// inquiry returns a tool that answers with prefix and the client's answers.
func inquiry(prefix string, questions ...question) server.ToolHandlerFunc {
	return func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return inquire(r, prefix, questions...)
	}
}

func inquire(r mcp.CallToolRequest, prefix string, questions ...question) (*mcp.CallToolResult, error) {
	answers, complete := read(r.Params.InputResponses, questions)
	if !complete {
		return ask(questions, "").ToolResult(), nil
	}
	return mcp.NewToolResultText(prefix + strings.Join(answers, "; ")), nil
}

// sealedInquiry returns a tool that asks in rounds. The number of the round travels, sealed, with the client.
func sealedInquiry(prefix string, rounds ...[]question) server.ToolHandlerFunc {
	return func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Params.RequestState == "" {
			return ask(rounds[0], seal(0)).ToolResult(), nil
		}
		round, err := unseal(r.Params.RequestState)
		if err != nil {
			return nil, err
		}
		answers, complete := read(r.Params.InputResponses, rounds[round])
		switch {
		case !complete:
			return ask(rounds[round], seal(round)).ToolResult(), nil
		case round+1 < len(rounds):
			return ask(rounds[round+1], seal(round+1)).ToolResult(), nil
		default:
			return mcp.NewToolResultText(prefix + strings.Join(answers, "; ")), nil
		}
	}
}

func askWhatIsSupported(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var can mcp.ClientCapabilities
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.ClientCapabilities != nil {
		can = *info.ClientCapabilities
	}
	var supported []question
	for _, q := range everything {
		if q.supported(can) {
			supported = append(supported, q)
		}
	}
	return inquire(r, "Answered: ", supported...)
}
