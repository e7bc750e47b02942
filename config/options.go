package config

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// MemoryOptions returns the options of memory. A server that only reads counts no use.
func (c *Config) MemoryOptions() memory.Options {
	return memory.Options{
		MinLength: max(c.MinLength, 1), MaxLength: c.MaxLength, MinLetters: new(c.MinLetters), MinRelevance: new(c.MinRelevance),
		EmbedTimeout: c.EmbeddingsTimeout, SessionTTL: c.SessionTTL, TaskTTL: c.TaskTTL,
		RefreshOnUse: c.RefreshOnUse && !c.ReadOnly, TrackUse: !c.ReadOnly, LearnFromUse: c.LearnFromUse,
		IgnoreActs: c.IgnoreActs, MinClaim: new(c.MinClaim),
		ManyValued: predicates(c.ManyValued), SingleValued: predicates(c.SingleValued),
	}
}

// predicates returns names of predicates as claims are compared by.
func predicates(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, memory.Predicate(name))
	}
	return all
}

// ReduceOptions returns the options of reductions.
func (c *Config) ReduceOptions() reduce.Options {
	o := c.Reduce
	o.CacheRelax, o.PreserveFirst = new(c.CacheRelax), new(c.PreserveFirst)
	return o
}

func (a Accumulator) options() actions.Options {
	o := actions.Options{
		MaxHistory: a.MaxHistory, SummarizeAt: new(a.TriggerAt), KeepRecent: a.KeepRecent, DriftThreshold: new(a.DriftThreshold),
		ChainWarning: a.ChainWarning, ChainLimit: a.ChainLimit, Retention: a.Retention, Disabled: a.Off,
		Classifications: map[string]ctxmcp.DataClass{},
	}
	if !a.Summarize {
		o.SummarizeAt = new(0)
	}
	for _, pair := range a.Classifications {
		tool, class, _ := strings.Cut(pair, "=")
		o.Classifications[tool] = ctxmcp.DataClass(class)
	}
	return o
}

// ActionOptions are those of the accumulator and of decisions that wait.
func (c *Config) ActionOptions() actions.Options {
	o := c.Accumulator.options()
	o.StepUpTimeout, o.DeferTimeout, o.MaxWaiting = c.StepUpTimeout, c.DeferTimeout, max(c.MaxWaiting, 1)
	return o
}

// Models returns the table of models, with the limits of the configuration.
func (c *Config) Models() *tokens.Models {
	return &tokens.Models{Limits: c.TokenLimits, ByRatio: c.TokenCounter == CountByRatio}
}
