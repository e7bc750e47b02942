package reduce

import "github.com/ctx-mcp/ctx-mcp/conversation"

// layer is one step of the cascade.
type layer struct {
	Number int
	Name   string // of metrics: append only
	Doc    string
	due    func(*job) bool
	run    func(*job) (detail string)
}

// layers is the cascade. Each acts only when those before it did not suffice, but for the first, which acts on what is large
// whenever it comes, so that it is never rewritten later.
var layers = []layer{
	{0, "externalise", "outputs over 10,000 characters become artifacts; a preview and the reference stay", (*job).anyLarge, (*job).externalise},
	{1, "compress", "tool results between the zones are cut by their kind of content", (*job).anyCompressible, (*job).compress},
	{2, "window", "the oldest turns are moved out until the window is 90 % full", (*job).overWindow, (*job).slide},
	{3, "summary", "all between the zones is moved out; one digest under the whole budget stands for it", (*job).anyBetween, (*job).summarise},
	{4, "escalate", "in at most two passes the results of the recent zone are cut, and the zone shrinks", (*job).overHigh, (*job).escalate},
}

// Layers lists the names of the cascade, for metrics.
func Layers() []string {
	names := make([]string, len(layers))
	for i := range layers {
		names[i] = layers[i].Name
	}
	return names
}

// run lets a layer act if it is due, and records what came of it.
func (j *job) run(l *layer) {
	step := Step{Layer: l.Number, Name: l.Name, Before: j.tokens().Value}
	if l.due(j) {
		step.Applied, step.Detail = true, l.run(j)
	}
	step.After = j.tokens().Value
	j.out.Steps = append(j.out.Steps, step)
}

// begin begins an epoch, if it is time. The upper bound of the count decides whether something fits. The work of layer 0 on the
// way is no reason for one.
func (j *job) begin() {
	if j.epoch {
		return
	}
	size := j.tokens()
	switch {
	case j.req.Target > 0:
		j.epoch = size.Value > j.req.Target
	case size.Bound > j.budget.trigger:
		j.epoch = true
	default:
		j.epoch = j.req.Window > 0 && j.count() > j.req.Window
	}
	if j.epoch && size.Bound > j.budget.trigger {
		j.log(thresholdExceeded, "context", size.Bound, "threshold", j.budget.trigger)
	}
}

// count returns the messages without the system prompt.
func (j *job) count() int { return len(j.all) - conversation.Leading(j.all) }
