package reduce

import (
	"math"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Sent is the memory that a state keeps of a returned prompt, so that the provider's report of it can be used: the
// count of it, and the report on the one before.
type Sent struct {
	Messages    int `json:"messages"`
	Tokens      int `json:"tokens"`                 // counted
	Reported    int `json:"reported,omitempty"`     // of the prompt before; 0: not known
	ReportedFor int `json:"reported_for,omitempty"` // counted of that
}

// anchor is the true size of the last prompt, from which only what was added or taken away is estimated.
type anchor struct {
	tokens.Anchor
	counted    int
	correction tokens.Correction
}

// takeReport uses what the provider reported of the last prompt: an anchor for this one, and an observation of how far counts are
// off. A report without the state of the call that made the prompt says nothing.
func (j *job) takeReport() {
	sent, reported := j.state.Sent, min(j.req.LastInput, mostFigure)
	if reported <= 0 || sent.Tokens <= 0 || j.req.Target > 0 || sent.Messages > len(j.all) {
		return
	}
	if reported < sent.Tokens/mostOver {
		j.warn("last_input_tokens is not used: %d is too few for the %d that were counted; what a prompt cache served counts too", reported, sent.Tokens)
		return
	}
	if sent.Reported > 0 {
		j.state.Correction = j.state.Correction.Observe(reported-sent.Reported, sent.Tokens-sent.ReportedFor)
	}
	j.anchor = &anchor{tokens.Anchor{Messages: sent.Messages, Tokens: reported}, sent.Tokens, j.state.Correction}
	j.log(estimateFallback, "reported", reported, "counted", sent.Tokens)
}

// mostOver bounds by how much a count can be above the truth. A report below is of something else: some providers report apart
// what a cache served.
const mostOver = 2

// measured returns the size of a prompt from what was counted of it.
func (j *job) measured(counted tokens.Size) tokens.Size {
	a := j.anchor
	if a == nil {
		return counted
	}
	if added := counted.Value - a.counted; added >= 0 {
		return a.Plus(tokens.Size{Value: added, Bound: max(added, counted.Bound-a.counted)}, a.correction)
	}
	less := float64(a.counted-counted.Value) * a.correction.Ratio()
	return tokens.Fixed(max(a.Tokens-int(math.Round(less)), counted.Value/2))
}

// nextSent returns what the state remembers of this call's prompt.
func (j *job) nextSent() Sent {
	s := Sent{Messages: len(j.all), Tokens: j.counted().Value}
	if j.anchor != nil && !j.epoch {
		s.Reported, s.ReportedFor = j.anchor.Tokens, j.anchor.counted
	}
	return s
}

// reserve returns the tokens of a prompt that the caller did not show, where the limit is the model's own and nothing was
// reported: the tools, and the system prompt unless it is among the messages.
func (j *job) reserve() int {
	if j.req.Target > 0 || j.req.Limit > 0 || j.anchor != nil {
		return 0
	}
	n := tokens.ToolsOverhead
	if conversation.Leading(j.all) == 0 {
		n += tokens.SystemOverhead
	}
	return min(n, int(float64(j.budget.limit)*mostReserve))
}

// mostReserve bounds what is assumed of a prompt, as a share of the limit.
const mostReserve = 0.25
