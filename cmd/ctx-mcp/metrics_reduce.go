package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/ctx-mcp/ctx-mcp/reduce"
)

// reductionMetrics counts which layers of a reduction act, and the tokens that they save.
type reductionMetrics struct {
	layers *prometheus.CounterVec
	saved  *prometheus.CounterVec
}

func newReductionMetrics(registry *prometheus.Registry) *reductionMetrics {
	m := &reductionMetrics{
		layers: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ctx_mcp_reductions_total", Help: "How often each layer of the reduction of conversations acted.",
		}, []string{"layer"}),
		saved: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ctx_mcp_reduced_tokens_total", Help: "Tokens by which each layer shortened conversations.",
		}, []string{"layer"}),
	}
	for _, layer := range reduce.Layers() {
		m.layers.WithLabelValues(layer)
		m.saved.WithLabelValues(layer)
	}
	registry.MustRegister(m.layers, m.saved)
	return m
}

// reduced is told of every layer that acted.
func (m *reductionMetrics) reduced(layer string, saved int) {
	m.layers.WithLabelValues(layer).Inc()
	m.saved.WithLabelValues(layer).Add(float64(max(saved, 0)))
}
