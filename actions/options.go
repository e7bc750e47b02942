package actions

import (
	"cmp"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// Options tunes a Service. The zero value works: every field names its default, which a number has for 0 and a pointer for nil.
type Options struct {
	MaxHistory     int           // actions that are kept whole; default 100
	SummarizeAt    *int          // actions at which the oldest are summarized; nil: 50; 0: only at MaxHistory
	KeepRecent     int           // actions that are then left whole; default 20
	DriftThreshold *float64      // mean distance over which a session drifts; nil: 0.7
	ChainWarning   int           // actions after which a chain is long; default 15
	ChainLimit     int           // actions after which it is over its limit; default 30
	Retention      time.Duration // a session is kept for so long after its end, or its last action; default 30 days
	MaxResult      int           // bytes of one result that are read; default 1 MiB
	MaxActions     int           // actions of one session; default 10,000
	StepUpTimeout  time.Duration // an action that nobody approves within it is denied; default 15 minutes
	DeferTimeout   time.Duration // the same of one that is deferred; default 5 minutes
	MaxWaiting     int           // actions of a session that wait at a time; one more is denied; default 16
	// Disabled lists the signals that are not computed.
	Disabled []string
	// Classifications is the operator's word on the data of a tool. Nothing else lowers a class.
	Classifications map[string]ctxmcp.DataClass

	reader taint.Reader // of results; default taint.Read
}

// withDefaults returns the options with the defaults filled in.
func (o Options) withDefaults() Options {
	o.MaxHistory = cmp.Or(o.MaxHistory, 100)
	o.KeepRecent = cmp.Or(o.KeepRecent, 20)
	o.SummarizeAt = cmp.Or(o.SummarizeAt, new(50))
	o.ChainWarning = cmp.Or(o.ChainWarning, 15)
	o.ChainLimit = cmp.Or(o.ChainLimit, 30)
	o.DriftThreshold = cmp.Or(o.DriftThreshold, new(0.7))
	o.MaxResult = cmp.Or(o.MaxResult, 1<<20)
	o.MaxActions = cmp.Or(o.MaxActions, 10_000)
	o.MaxWaiting = cmp.Or(o.MaxWaiting, 16)
	o.Retention = cmp.Or(o.Retention, 30*24*time.Hour)
	o.StepUpTimeout = cmp.Or(o.StepUpTimeout, 15*time.Minute)
	o.DeferTimeout = cmp.Or(o.DeferTimeout, 5*time.Minute)
	if o.reader == nil {
		o.reader = taint.Read
	}
	return o
}
