package opinion

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/judge"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// Question is an action in the form in which the model is shown it. Its texts are redacted and folded: nothing in them is hidden.
type Question struct {
	Request   string   `json:"user_request"`
	Later     []string `json:"user_said_later,omitempty"`
	Calls     []Call   `json:"calls"`
	Why       string   `json:"why_a_person_would_be_asked"`
	Sentences []string `json:"sentences_that_others_wrote,omitempty"`
}

// Call is one call of the action, wrappers opened.
type Call struct {
	Tool       string         `json:"tool"`
	Operation  string         `json:"operation,omitempty"`
	Parameters map[string]any `json:"parameters"`
	Effects    []Effect       `json:"effects"`
}

// Effect is one thing that the call would do.
type Effect struct {
	Class  effect.Class `json:"class"`
	Asked  bool         `json:"user_spoke_of_it"`
	Values []Value      `json:"values"`
}

// Value is an argument that decides an effect.
type Value struct {
	Text      string          `json:"value"`
	Role      effect.Role     `json:"role"`
	Authority taint.Authority `json:"on_whose_word"`
}

// Case is an action that the rules would put to a person.
type Case struct {
	Request  string
	Later    []string // of the user
	Calls    []taint.Call
	Acts     [][]judge.Act // of each call
	Decision ctxmcp.Decision
	Findings []ctxmcp.Finding
	// Hide returns a text as redaction leaves it.
	Hide func(string) string
}

// The bounds of a question. The user's words are cut to them; an action that is larger is for a person.
const (
	maxWords     = 2000 // characters of one text of the user
	maxLater     = 5    // texts, the latest
	maxSentences = 8
	maxQuestion  = 16_000 // bytes of it all
)

// Question returns the question as JSON, or why a model is not asked.
func (c Case) Question() (text string, reason string) {
	for _, acts := range c.Acts {
		for _, a := range acts {
			if reason := forbidden(a); reason != "" {
				return "", reason
			}
		}
	}
	q := Question{Request: shown(c.Request, maxWords), Why: c.Decision.Why, Sentences: c.sentences()}
	for _, said := range c.Later[max(0, len(c.Later)-maxLater):] {
		q.Later = append(q.Later, shown(said, maxWords))
	}
	for i, call := range c.Calls {
		q.Calls = append(q.Calls, Call{taint.Fold(call.Tool), taint.Fold(call.Operation), foldAll(call.Parameters).(map[string]any), c.effects(c.Acts[i])})
	}
	foreign, err := json.Marshal([]any{q.Calls, q.Sentences})
	if err != nil {
		return "", "it cannot be written as JSON"
	}
	if speaksToJudge.Match(foreign) {
		return "", "a text in it speaks of what is to be answered"
	}
	raw, err := json.Marshal(q)
	switch {
	case err != nil:
		return "", "it cannot be written as JSON"
	case len(raw) > maxQuestion:
		return "", "it is too long to be shown whole"
	}
	return string(raw), ""
}

// forbidden says why no model may allow an effect, or nothing.
func forbidden(a judge.Act) string {
	switch {
	case a.Class.Danger() >= 4:
		return "an effect of danger 4 is for a person"
	case a.Class == effect.Money:
		return "money is for a person"
	case a.Carries == judge.Secret:
		return "a credential is for a person"
	case a.Speaks || a.Spurred:
		return "a text that speaks to a model has a part in it"
	}
	return ""
}

// speaksToJudge matches words by which a text could dictate the answer, in JSON: the word of the answer itself in any sentence, and words for
// judging.
var speaksToJudge = regexp.MustCompile(`(?i)\b(?:allow(?:s|ed|ing)?|verdicts?|judges?)\b|\b(?:answer|respond|reply|output|return|decide|classify|rate|mark|treat)\b[^.!?]{0,60}\b(?:approved?|safe|benign|harmless|legitimate|permitted|authori[sz]ed)\b`)

func (c Case) effects(acts []judge.Act) []Effect {
	all := []Effect{}
	for _, a := range acts {
		e := Effect{Class: a.Class, Asked: a.Asked, Values: []Value{}}
		for _, v := range a.Standings {
			e.Values = append(e.Values, Value{taint.Fold(c.Hide(v.Text)), v.Role, v.Authority})
		}
		all = append(all, e)
	}
	return all
}

// sentences returns the quotes of the evidence, each once.
func (c Case) sentences() []string {
	var all []string
	add := func(evidence []ctxmcp.Evidence) {
		for _, e := range evidence {
			if q := taint.Fold(e.Quote); e.Source != ctxmcp.SourceRequest && q != "" && !slices.Contains(all, q) && len(all) < maxSentences {
				all = append(all, q)
			}
		}
	}
	for _, f := range c.Findings {
		add(f.Evidence)
	}
	for _, acts := range c.Acts {
		for _, a := range acts {
			add(a.Evidence)
		}
	}
	return all
}

// foldAll returns a JSON value with its texts folded.
func foldAll(v any) any {
	switch v := v.(type) {
	case string:
		return taint.Fold(v)
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = foldAll(v[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for name, value := range v {
			all[taint.Fold(name)] = foldAll(value)
		}
		return all
	default:
		return v
	}
}

// shown returns a text of the user as the model sees it.
func shown(text string, most int) string {
	return ctxmcp.Shorten(strings.TrimSpace(taint.Fold(text)), most)
}
