package main

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// tool is a fixture that the suite calls by its name.
type tool struct {
	name  string
	does  string
	input string // JSON Schema; empty: no arguments
	run   server.ToolHandlerFunc
}

const noArguments = `{"type": "object", "additionalProperties": false}`

func addTools(s *server.MCPServer, fixtures []tool) {
	for _, t := range fixtures {
		if t.input == "" {
			t.input = noArguments
		}
		s.AddTool(mcp.NewToolWithRawSchema(t.name, t.does, json.RawMessage(t.input)), t.run)
	}
}

// answering are the tools that answer by themselves.
var answering = []tool{
	{name: "test_simple_text", does: "Answers with text",
		run: content(mcp.NewTextContent("This is a simple text response for testing."))},
	{name: "test_image_content", does: "Answers with an image",
		run: content(mcp.NewImageContent(image, "image/png"))},
	{name: "test_audio_content", does: "Answers with audio",
		run: content(mcp.NewAudioContent(audio, "audio/wav"))},
	{name: "test_embedded_resource", does: "Answers with a resource",
		run: content(mcp.NewEmbeddedResource(mcp.TextResourceContents{
			URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content.",
		}))},
	{name: "test_multiple_content_types", does: "Answers with text, an image and a resource",
		run: content(
			mcp.NewTextContent("Multiple content types test:"),
			mcp.NewImageContent(image, "image/png"),
			mcp.NewEmbeddedResource(mcp.TextResourceContents{
				URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"test":"data","value":123}`,
			}))},
	{name: "test_error_handling", does: "Fails",
		run: func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultError("This tool intentionally returns an error for testing"), nil
		}},
	{name: "json_schema_2020_12_tool", does: "Has a schema with the newer keywords", input: richSchema,
		run: content(mcp.NewTextContent("ok"))},
	{name: "test_header_parameter", does: "Takes an argument that is repeated in a header", input: headerSchema,
		run: func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(r.GetString("region", "")), nil
		}},
}

// content returns a tool that always gives the same.
func content(parts ...mcp.Content) server.ToolHandlerFunc {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: parts}, nil
	}
}

// One red pixel, and one sample of silence.
const (
	image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	audio = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)

// The suite looks for each of these keywords in the result of tools/list.
const richSchema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {
		"address": {
			"$anchor": "addressDef",
			"type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}
		}
	},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

const headerSchema = `{
	"type": "object",
	"properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
	"required": ["region"],
	"additionalProperties": false
}`
