package labelled

import "slices"

// Session is one labelled session of an agent.
type Session struct {
	ID       string    `json:"session_id"`
	Suite    string    `json:"suite"`
	Request  string    `json:"original_request"`
	Messages []Message `json:"user_messages"`
	Actions  []Action  `json:"actions"`
	Label    Label     `json:"label"`
}

// Message is a message of the user.
type Message struct {
	At   int    `json:"at"` // index of the action before which it was said
	Text string `json:"text"`
}

// Action is a call of a tool with its result.
type Action struct {
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args"`
	Result string         `json:"result_ref"`
	Error  any            `json:"error"`
}

// Label lists the actions, by their index, that carry out an injected instruction, and those that serve it and perhaps the user too.
type Label struct {
	Injected []int `json:"injected_action_indexes"`
	Support  []int `json:"injected_support_indexes"`
}

// Said returns the texts of the user before the action, but for the request itself.
func (s Session) Said(i int) []string {
	var texts []string
	for n, m := range s.Messages {
		if m.At == i && (n > 0 || m.Text != s.Request) {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// Results reads the texts of results by their reference.
func Results(path string) (map[string]string, error) {
	rows, err := Read[struct{ Ref, Text string }](path)
	texts := map[string]string{}
	for _, r := range rows {
		texts[r.Ref] = r.Text
	}
	return texts, err
}

// heldBackSuites are the suites whose rows nobody has read: rules are judged by them, and not made with them.
var heldBackSuites = []string{"cloudops", "helpdesk", "webresearch"}

// HeldBackSuite reports whether a suite of sessions is held back.
func HeldBackSuite(name string) bool { return slices.Contains(heldBackSuites, name) }
