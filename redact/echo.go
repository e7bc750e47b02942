package redact

import "strings"

const (
	quotable = 8            // bytes in a row that stand in two texts by no chance
	veil     = "[REDACTED]" // for a part of a secret, whose kind cannot be told
)

// Echo returns a message that may quote a text, without the secrets that hide takes out of that text: not whole, and not the part that is
// left where a quotation was cut short, with a few bytes beside it. hide takes the secrets out of a text, as Text does.
func Echo(message, of string, hide func(string) string) string {
	message = hide(message)
	if clean := hide(of); clean != of {
		message = cover(message, shared(message, of, clean))
	}
	return message
}

// shared returns the stretches of the message, of so many bytes as tell, that stand in the text and no longer where it is clean.
func shared(message, text, clean string) map[string]bool {
	found := map[string]bool{}
	for i := 0; i+quotable <= len(message); i++ {
		found[message[i:i+quotable]] = false
	}
	mark(found, text, true)
	mark(found, clean, false)
	return found
}

// mark sets the stretches that stand in a text.
func mark(found map[string]bool, text string, to bool) {
	for i := 0; i+quotable <= len(text); i++ {
		if _, quoted := found[text[i:i+quotable]]; quoted {
			found[text[i:i+quotable]] = to
		}
	}
}

// cover writes a veil over the stretches of a message.
func cover(message string, stretches map[string]bool) string {
	var out strings.Builder
	shown, hidden := 0, -1 // the ends of the text that was written and of the stretch that is covered
	for i := 0; i+quotable <= len(message); i++ {
		if !stretches[message[i:i+quotable]] {
			continue
		}
		if i > hidden {
			out.WriteString(message[shown:i] + veil)
		}
		shown, hidden = i+quotable, i+quotable
	}
	out.WriteString(message[shown:])
	return strings.ToValidUTF8(out.String(), "")
}
