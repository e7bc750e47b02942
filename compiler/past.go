package compiler

import (
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// PastResult is a result in the messages of the request, as gathering knows it.
type PastResult struct {
	Number   int       `json:"number"`            // among the results of the conversation, from 0
	Shorter  []Form    `json:"shorter,omitempty"` // true forms with fewer tokens, the longest first
	Warnings []Warning `json:"warnings,omitempty"`
}

// Stretch is a part of the conversation that is kept outside of the prompt.
type Stretch struct {
	First    int    `json:"first"` // place of its first message, from 0
	End      int    `json:"end"`   // behind its last one
	Artifact string `json:"artifact_id"`
}

// containResults puts every result of the conversation behind delimiters, as everything that a tool returns, and says which of them speak to
// the model. Each comes in the forms in which it may be shown, the fullest first.
func (s *state) containResults(read []conversation.Message) map[callAt][]string {
	known := map[int]PastResult{}
	for _, r := range s.in.Results {
		known[r.Number] = r
	}
	all := map[callAt][]string{}
	number := 0
	tools := map[string]string{} // by the last call of the id
	for i := range read {
		for j := range read[i].Parts {
			switch p := &read[i].Parts[j]; p.Kind {
			case conversation.Call:
				tools[p.ID] = p.Name
			case conversation.Result:
				r := known[number]
				number++
				from := containment.Origin("tool " + tools[p.ID])
				forms := []string{containedOnce(p.Text, from)}
				for _, f := range r.Shorter {
					forms = append(forms, containedOnce(f.Text, from))
				}
				all[callAt{i, p.ID}] = forms
				s.reportSpeaking("the result of "+from, r.Warnings)
			}
		}
	}
	return all
}

// containedOnce puts a text behind delimiters, unless it came so: from the tool that wraps results, for instance.
func containedOnce(text, from string) string {
	if f, framed := containment.Unframe(text); framed && isNotice(f.Rest) {
		if clean, n := containment.Neutralise(f.Text); n == 0 && clean == f.Text {
			return text
		}
	}
	clean, _ := containment.Neutralise(text)
	return framed(clean, from)
}

// isNotice reports whether a text is nothing, or the line behind a frame that says where the whole is.
func isNotice(text string) bool {
	line, ours := strings.CutPrefix(text, "\n[the whole: get_artifact artifact_id=")
	return text == "" || ours && strings.Count(line, "\n") == 0 && strings.HasSuffix(line, " (lines, pattern, path)]") && strings.Count(line, "]") == 1
}

// extend adds a message to a turn, in as many forms as its results have.
func (s *state) extend(t *turn, i int, m conversation.Message, results map[callAt][]string) {
	most := 1
	for _, id := range m.Answers() {
		most = max(most, len(results[callAt{i, id}]))
	}
	for len(t.forms) < most {
		if len(t.forms) == 0 {
			t.forms = append(t.forms, said{})
			continue
		}
		last := t.forms[len(t.forms)-1]
		t.forms = append(t.forms, said{append([]conversation.Message(nil), last.messages...), last.tokens})
	}
	for k := range t.forms {
		form := m.Clone()
		for j := range form.Parts {
			if p := &form.Parts[j]; p.Kind == conversation.Result {
				texts := results[callAt{i, p.ID}]
				p.Text, p.Raw, p.Edited = texts[min(k, len(texts)-1)], nil, true
				form.Edit()
			}
		}
		t.forms[k].messages = append(t.forms[k].messages, form)
		t.forms[k].tokens += s.counter.Count(sentText(&form)) + s.in.Policy.MessageTokens
	}
}

// leftOut says that turns of the conversation are left out in a place, and where their messages are: all of them, or the first.
func (s *state) leftOut(turns []turn) conversation.Message {
	first, end := turns[0].first, turns[len(turns)-1].end
	var where []string
	kept := first
	for _, st := range s.in.Stretches {
		if st.First < end && first < st.End {
			where, kept = append(where, st.Artifact), st.End
		}
	}
	messages, there := 0, 0
	for i := range turns {
		n := len(turns[i].forms[0].messages)
		if messages += n; turns[i].end <= kept {
			there += n
		}
	}
	text := plural(messages, "message") + " of this conversation left out here, for want of room"
	switch {
	case there == messages || there > 0 && !s.in.exact():
		text += "; get_artifact has them: artifact_id " + strings.Join(where, ", ")
	case there > 0:
		text += fmt.Sprintf("; get_artifact has the first %d of them: artifact_id %s", there, strings.Join(where, ", "))
	}
	return conversation.Said(conversation.User, "["+text+"]")
}
