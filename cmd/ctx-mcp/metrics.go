package main

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// metrics holds the figures of /metrics. Labels come from closed lists only: a tool's name, an outcome.
type metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	receipts *prometheus.CounterVec
	running  atomic.Int64 // calls at work

	*compileMetrics
	*reductionMetrics
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ctx_mcp_tool_calls_total", Help: "Tool calls by tool and outcome: ok, asking (the user), or the code of the error.",
		}, []string{"tool", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "ctx_mcp_tool_call_seconds", Help: "Duration of tool calls.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 9),
		}, []string{"tool"}),
	}
	m.receipts = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "ctx_mcp_receipts_total",
		Help: "Receipts by kind and verdict; the verdict failed counts those that could not be written, so that nothing was allowed.",
	}, []string{"kind", "verdict"})
	m.compileMetrics = newCompileMetrics(m.registry)
	m.reductionMetrics = newReductionMetrics(m.registry)
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "ctx_mcp_build_info", Help: "Always 1.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	running := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "ctx_mcp_calls_running",
		Help: "Calls of tools and reads of resources whose work has not ended, whether their client waits or not.",
	}, func() float64 { return float64(m.running.Load()) })
	m.registry.MustRegister(m.calls, m.seconds, m.receipts, running, build, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// begin counts a call at work, and returns the function that ends it.
func (m *metrics) begin() (end func()) {
	m.running.Add(1)
	return func() { m.running.Add(-1) }
}

func (m *metrics) observe(tool, outcome string, took time.Duration) {
	m.calls.WithLabelValues(tool, outcome).Inc()
	m.seconds.WithLabelValues(tool).Observe(took.Seconds())
}

// receipt counts a receipt, or one that could not be written.
func (m *metrics) receipt(kind receipts.Kind, verdict string) {
	m.receipts.WithLabelValues(string(kind), verdict).Inc()
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
