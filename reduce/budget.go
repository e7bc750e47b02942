package reduce

import (
	"cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Options tunes a Service. The zero value works: every field that is 0, or nil where 0 means 0, has the default that
// stands behind it.
type Options struct {
	Limit      int      // tokens of a model that nobody knows; 0: by the table of models
	Trigger    float64  // share of the limit above which an epoch begins; 0.65
	CacheRelax *float64 // added to Trigger, and taken off LowMark, while a prompt cache is in use, and added again where it is warm; nil: 0.1
	CacheHint  bool     // a prompt cache is in use unless a call says otherwise
	LowMark    float64  // share of the limit down to which an epoch goes; 0.30
	Warn       float64  // share above which a conversation that was not reduced is warned of; 0.8
	Escalate   float64  // share above which the last layer acts; 0.9
	Ceiling    float64  // share that nothing may exceed; 0.98

	ArtifactThreshold int // characters above which an output is externalised; 10,000
	CompressTo        int // characters that are left of a result that is compressed, and of an externalised one; 8,000
	MaxResult         int // characters that a result in the conversation may have in any case; 30,000

	Window        int  // messages; 100
	PreserveFirst *int // messages after the system prompt; nil: 1
	PreserveLast  int  // messages at the end; 0: by the window

	Passes int // of the last layer; 2
}

func (o Options) withDefaults() Options {
	o.Trigger = cmp.Or(o.Trigger, 0.65)
	o.LowMark = cmp.Or(o.LowMark, 0.3)
	o.Warn = cmp.Or(o.Warn, 0.8)
	o.Escalate = cmp.Or(o.Escalate, 0.9)
	o.Ceiling = cmp.Or(o.Ceiling, 0.98)
	o.CacheRelax = cmp.Or(o.CacheRelax, new(0.1))
	o.ArtifactThreshold = cmp.Or(o.ArtifactThreshold, 10_000)
	o.CompressTo = cmp.Or(o.CompressTo, 8_000)
	o.MaxResult = cmp.Or(o.MaxResult, 30_000)
	o.Window = cmp.Or(o.Window, 100)
	o.PreserveFirst = cmp.Or(o.PreserveFirst, new(1))
	o.PreserveLast = cmp.Or(o.PreserveLast, -1)
	o.Passes = cmp.Or(o.Passes, 2)
	o.ArtifactThreshold, o.CompressTo = min(o.ArtifactThreshold, o.MaxResult), min(o.CompressTo, o.MaxResult)
	return o
}

// budget is the room of a conversation, in tokens.
type budget struct {
	limit   int // of the model, or of the caller
	trigger int // above which an epoch begins
	low     int // down to which it goes
	warn    int
	high    int // above which the last layer acts
	ceiling int
}

// maxTrigger bounds the trigger, however far a cache relaxes it.
const maxTrigger = 0.95

// budgetFor returns the budget of a request. It returns CodeInvalid for figures that cannot be meant.
func (o Options) budgetFor(r Request, m tokens.Model) (budget, error) {
	if r.Limit < 0 || r.Target < 0 || r.Window < 0 {
		return budget{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "a number is negative").WithHint("leave it out for the default")
	}
	b := budget{limit: r.Limit}
	if b.limit == 0 {
		b.limit = m.ContextLimit
		if o.Limit > 0 && !m.Known {
			b.limit = o.Limit
		}
	}
	trigger, low := o.Trigger, o.LowMark
	if r.cached(o) { // an epoch makes the provider read all anew: so later, and deeper
		trigger, low = trigger+*o.CacheRelax, max(low-*o.CacheRelax, low/2)
		if r.State != nil { // the cache has the prompt of the call before
			trigger += *o.CacheRelax
		}
		trigger = min(trigger, maxTrigger)
		if least := leastCached / float64(b.limit); least < o.LowMark {
			low = max(low, least)
		}
	}
	share := func(s float64) int { return int(float64(b.limit) * s) }
	b.trigger, b.low, b.warn, b.high, b.ceiling = share(trigger), share(min(low, trigger)), share(max(o.Warn, trigger)), share(o.Escalate), share(o.Ceiling)
	if r.Target > 0 {
		b.trigger, b.low, b.high, b.ceiling = r.Target, r.Target, r.Target, min(r.Target, b.ceiling)
	}
	return b, nil
}

// leastCached is the size at which an epoch ends while a prompt cache is in use and the limit has room for it: some providers cache no prompt of less
// than 4,096 tokens, and count a little less than is counted here.
const leastCached = 4200

// forCache cuts results when they come to what a small limit has room for, while a prompt cache is in use: cut later, they would make the
// provider read all behind them anew.
func (o *Options) forCache(r Request, limit int) {
	if !r.cached(*o) || r.Target > 0 {
		return
	}
	o.ArtifactThreshold = min(o.ArtifactThreshold, int(float64(limit)*resultOfLimit))
	o.CompressTo = min(o.CompressTo, int(float64(limit)*resultOfLimit*compressedOf))
}

const (
	resultOfLimit = 0.25 // characters of a result for each token of the limit: about a twelfth of it
	compressedOf  = 0.8
)

// less takes off what a prompt holds beside the messages.
func (b *budget) less(reserve int) {
	for _, n := range []*int{&b.trigger, &b.low, &b.warn, &b.high, &b.ceiling} {
		*n = max(*n-reserve, *n/leastPart)
	}
}

// leastPart bounds by how much a mark is lowered: to a quarter.
const leastPart = 4
