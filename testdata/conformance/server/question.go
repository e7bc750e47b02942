package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
)

// question is one thing that a tool wants of the client.
type question struct {
	id        string
	supported func(mcp.ClientCapabilities) bool
	add       func(b *server.InputRequestBuilder, id string)
	// read returns the answer as text, or false where there is none that is valid.
	read func(answers mcp.InputResponses, id string) (string, bool)
}

// ask returns the result that puts the questions to the client.
func ask(questions []question, state string) *server.InputRequestBuilder {
	b := server.NewInputRequestBuilder(state)
	for _, q := range questions {
		q.add(b, q.id)
	}
	return b
}

// read returns the answer to each question, or false if one is missing.
func read(responses mcp.InputResponses, questions []question) (answers []string, complete bool) {
	for _, q := range questions {
		answer, ok := q.read(responses, q.id)
		if !ok {
			return nil, false
		}
		answers = append(answers, answer)
	}
	return answers, true
}

func canElicit(c mcp.ClientCapabilities) bool { return c.Elicitation != nil }

// form asks the user to fill a form. Its answer is the user's action, and the fields that were filled in.
func form(id, message, schema string) question {
	return question{
		id: id, supported: canElicit,
		add: func(b *server.InputRequestBuilder, id string) {
			b.Elicit(id, mcp.ElicitationParams{Message: message, RequestedSchema: json.RawMessage(schema)})
		},
		read: func(answers mcp.InputResponses, id string) (string, bool) {
			got := server.ElicitationResponse(answers, id)
			if got == nil || got.Action == "" {
				return "", false
			}
			content, err := json.Marshal(got.Content)
			return fmt.Sprintf("action=%s, content=%s", got.Action, content), err == nil
		},
	}
}

// field asks the user for one string.
func field(id, message, name string) question {
	q := form(id, message, oneString(name))
	q.read = func(answers mcp.InputResponses, id string) (string, bool) {
		got := server.ElicitationResponse(answers, id)
		if got == nil {
			return "", false
		}
		content, _ := got.Content.(map[string]any)
		value, ok := content[name].(string)
		return value, ok
	}
	return q
}

// completion asks the client's model.
func completion(id, prompt string, maxTokens int) question {
	return question{
		id: id, supported: func(c mcp.ClientCapabilities) bool { return c.Sampling != nil },
		add: func(b *server.InputRequestBuilder, id string) {
			b.Sample(id, promptOf(prompt, maxTokens))
		},
		read: func(answers mcp.InputResponses, id string) (string, bool) {
			got := server.SamplingResponse(answers, id)
			if got == nil {
				return "", false
			}
			said := mcp.GetTextFromContent(got.Content)
			return said, said != ""
		},
	}
}

func promptOf(text string, maxTokens int) mcp.CreateMessageParams {
	said := mcp.SamplingMessage{Role: mcp.RoleUser, Content: mcp.NewTextContent(text)}
	return mcp.CreateMessageParams{Messages: []mcp.SamplingMessage{said}, MaxTokens: maxTokens}
}

// roots asks for the folders that the client works in.
func roots(id string) question {
	return question{
		id: id, supported: func(c mcp.ClientCapabilities) bool { return c.Roots != nil },
		add: func(b *server.InputRequestBuilder, id string) { b.Roots(id) },
		read: func(answers mcp.InputResponses, id string) (string, bool) {
			got := server.RootsResponse(answers, id)
			if got == nil || got.Roots == nil {
				return "", false
			}
			var list []string
			for _, root := range got.Roots {
				list = append(list, root.URI)
			}
			return strings.Join(list, ", "), true
		},
	}
}

// sealKey lives as long as the process.
var sealKey = []byte(rand.Text())

// seal writes a round so that nobody else can write one.
func seal(round int) string {
	text := strconv.Itoa(round)
	return text + "." + mac(text)
}

func unseal(state string) (round int, err error) {
	text, sum, _ := strings.Cut(state, ".")
	if !hmac.Equal([]byte(sum), []byte(mac(text))) {
		return 0, ctxmcp.Errorf(ctxmcp.CodeInvalid, "requestState was changed on its way")
	}
	return strconv.Atoi(text)
}

func mac(text string) string {
	m := hmac.New(sha256.New, sealKey)
	m.Write([]byte(text))
	return fmt.Sprintf("%x", m.Sum(nil))
}
