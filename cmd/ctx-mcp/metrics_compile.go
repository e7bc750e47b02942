package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/ctx-mcp/ctx-mcp/compiler"
)

// compileMetrics holds the figures of compile_context in /metrics.
type compileMetrics struct {
	compiles   *prometheus.CounterVec
	candidates *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	shares     *prometheus.HistogramVec
	decayed    prometheus.Counter
	entities   prometheus.Counter
	redactions *prometheus.CounterVec
	conflicts  prometheus.Counter
	tokens     *prometheus.CounterVec
}

func newCompileMetrics(r prometheus.Registerer) *compileMetrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ctx_mcp_" + name, Help: help}, labels)
	}
	m := &compileMetrics{
		compiles:   counter("compiles_total", "Compiles by their form and validation status.", "format", "status"),
		candidates: counter("compile_candidates_total", "Candidates by their fate, and the stage that decided it.", "fate", "stage"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "ctx_mcp_compile_stage_seconds", Help: "Duration of the parts of a compile: gather, admit, the ten stages, seal.",
			Buckets: prometheus.ExponentialBuckets(0.00005, 4, 9),
		}, []string{"stage"}),
		shares: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "ctx_mcp_compile_share",
			Help:    "Shares from 0 to 1: context_precision and context_recall (estimates), utilization of the budget, cacheable share of the tokens.",
			Buckets: prometheus.LinearBuckets(0.1, 0.1, 10),
		}, []string{"share"}),
		decayed:    prometheus.NewCounter(prometheus.CounterOpts{Name: "ctx_mcp_state_decay_evictions_total", Help: "Candidates left out because confidence in them has faded."}),
		entities:   prometheus.NewCounter(prometheus.CounterOpts{Name: "ctx_mcp_entity_conflicts_total", Help: "Candidates that name an entity on which nobody has decided."}),
		conflicts:  prometheus.NewCounter(prometheus.CounterOpts{Name: "ctx_mcp_claim_conflicts_total", Help: "Contradictions that authority, time and trust did not tell apart."}),
		redactions: counter("compile_redactions_total", "Secrets that were hidden in what was compiled, by label.", "label"),
		tokens:     counter("compile_tokens_total", "Tokens of what was compiled, by zone.", "zone"),
	}
	r.MustRegister(m.compiles, m.candidates, m.seconds, m.shares, m.decayed, m.entities, m.conflicts, m.redactions, m.tokens)
	return m
}

// observeCompile adds one compile to the figures.
func (m *compileMetrics) observeCompile(r compiler.Result) {
	o, t := r.Output, r.Output.Trace
	m.compiles.WithLabelValues(string(o.Format), t.Status).Inc()
	m.candidates.WithLabelValues("compiled", "emit").Add(float64(len(t.Compiled)))
	for _, row := range t.Omitted {
		m.candidates.WithLabelValues("omitted", row.Stage).Inc()
	}
	for _, row := range t.Quarantined {
		m.candidates.WithLabelValues("quarantined", row.Stage).Inc()
	}
	for _, s := range r.Stages {
		m.seconds.WithLabelValues(s.Stage).Observe(s.Took.Seconds())
	}
	for name, share := range map[string]*float64{
		"context_precision": t.Metrics.Precision, "context_recall": t.Metrics.Recall, "utilization": &o.Utilization, "cacheable": &t.Metrics.CacheableShare,
	} {
		if share != nil { // it was computed
			m.shares.WithLabelValues(name).Observe(*share)
		}
	}
	m.decayed.Add(float64(t.Metrics.DecayEvictions))
	m.entities.Add(float64(t.Metrics.Conflicts))
	m.conflicts.Add(float64(len(t.Conflicts)))
	for _, found := range t.Metrics.Redactions {
		m.redactions.WithLabelValues(found.Label).Add(float64(found.Count))
	}
	for _, z := range o.Zones {
		m.tokens.WithLabelValues(string(z.Name)).Add(float64(z.Tokens))
	}
}
