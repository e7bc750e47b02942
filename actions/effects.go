package actions

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// traces records the effects of an action for those that follow: fetched files, new objects, and a read of secrets.
func (v *view) traces(b *actionBody) {
	for _, acts := range v.acts {
		for _, a := range acts {
			b.Saves = append(b.Saves, a.Saves...)
			b.Makes = append(b.Makes, a.Makes...)
			b.Copies = append(b.Copies, a.Copies...)
			if a.Secret {
				b.Mixed = a.Mixed && (b.Mixed || !b.Secret)
				b.Secret = true
			}
			b.Web = b.Web || a.Web || a.ReadsWeb(v.known.SearchedWeb())
			b.Searched = b.Searched || a.Web
			b.Stages = cmp.Or(a.Stages, b.Stages)
		}
	}
}

// maxMade bounds the things that a session is known to have made, and its copies of files of secrets.
const maxMade = 1000

// notMade matches the answer of a call that failed, or found its object there already.
var notMade = language.NewPattern(`(?i)\b(exists|exist|error|fatal|failed|failure|denied|forbidden|invalid|cannot|could not|not found|usage)\b`)

// told is the length of the beginning and of the end of an answer that tell whether a call failed, in bytes.
const told = 4 << 10

// make records the new objects of an action by its answer, which names them in a field or is short.
func (a *accumulator) make(makes []effect.Made, b resultBody) {
	if len(makes) == 0 || b.IsError || notMade.MatchString(b.Text[:min(len(b.Text), told)]) || notMade.MatchString(b.Text[max(0, len(b.Text)-told):]) {
		return
	}
	for _, m := range makes {
		objects := []string{m.Object}
		if m.Object == "" {
			objects = newNames(b.Text)
		}
		for _, o := range objects {
			if len(a.made) < maxMade {
				a.made = append(a.made, effect.Made{Object: o, Beside: m.Beside})
			}
		}
	}
}

// shortAnswer is the length, in bytes, up to which each code in an answer names a new object.
const shortAnswer = 200

// newNames returns the names of the new objects of a call, by its answer: identifying fields, or the codes of a short text.
func newNames(text string) []string {
	fields := taint.DecodeObject(context.Background(), json.RawMessage(text))
	if fields == nil {
		return slices.DeleteFunc(strings.FieldsFunc(text[:min(len(text), shortAnswer)], isNoPartOfCode), func(w string) bool { return !taint.IsCode(w) || len(text) > shortAnswer })
	}
	var all []string
	for name, value := range fields {
		lower := strings.ToLower(name)
		if text, is := value.(string); is && (strings.HasSuffix(lower, "id") || lower == "key" || lower == "name" || lower == "arn" || lower == "slug") {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return all
}

func isNoPartOfCode(r rune) bool { return strings.ContainsRune(" \t\r\n'\"`,;()[]{}<>", r) }

// hasMade reports whether an effect ends nothing but what the session itself has made.
func (a *accumulator) hasMade(e effect.Effect) bool {
	return e.Class == effect.Destroy && e.IsOf(a.made)
}
