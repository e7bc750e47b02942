package serve

import (
	"strings"
	"unicode"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/mcp"
)

// The sizes to which the texts of a question are cut, in characters: its subject may be long, and a dialog is not.
const (
	maxMessage = 4000
	maxTitle   = 300
)

// formField is the one field of the form that a question becomes.
const formField = "choice"

// form returns a question as the revision of the client can show it. Titles beside values are oneOf since 2025-11-25, and
// enumNames before.
func form(q ctxmcp.Question, version string) mcp.ElicitationParams {
	var values, titles []string
	var titled []map[string]string
	for _, c := range q.Choices {
		title := plain(orValue(c.Title, c.Value), maxTitle, false)
		values, titles = append(values, c.Value), append(titles, title)
		titled = append(titled, map[string]string{"const": c.Value, "title": title})
	}
	field := map[string]any{"type": "string", "title": "Your choice"}
	if version == "2025-06-18" {
		field["enum"], field["enumNames"] = values, titles
	} else {
		field["oneOf"] = titled
	}
	return mcp.ElicitationParams{
		Message: plain(q.Message, maxMessage, true),
		RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{formField: field}, "required": []string{formField},
		},
	}
}

// read returns the answer in a client's result. Anything but a choice that was offered is no answer.
func read(q ctxmcp.Question, result *mcp.ElicitationResult) ctxmcp.Answer {
	none := ctxmcp.Answer{Outcome: ctxmcp.Unanswered}
	if result == nil {
		return none
	}
	switch result.Action {
	case mcp.ElicitationResponseActionDecline:
		return ctxmcp.Answer{Outcome: ctxmcp.Declined}
	case mcp.ElicitationResponseActionCancel:
		return ctxmcp.Answer{Outcome: ctxmcp.Dismissed}
	case mcp.ElicitationResponseActionAccept:
		content, _ := result.Content.(map[string]any)
		for _, c := range q.Choices {
			if content[formField] == any(c.Value) {
				return ctxmcp.Answer{Outcome: ctxmcp.Accepted, Value: c.Value}
			}
		}
	}
	return none
}

// plain returns text as a dialog or a terminal shows it without doing anything else: no control characters, which
// move cursors, and none that turn the direction of writing, which hide text. It is cut after max characters.
func plain(text string, max int, lines bool) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && lines:
			return r
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		default:
			return r
		}
	}, text)
	if runes := []rune(text); len(runes) > max {
		text = string(runes[:max-1]) + "…"
	}
	return text
}

func orValue(title, value string) string {
	if strings.TrimSpace(title) == "" {
		return value
	}
	return title
}
