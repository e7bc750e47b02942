package telemetry_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/ctx-mcp/ctx-mcp/serve/telemetry"
)

// collector is an OpenTelemetry collector that remembers what it got.
type collector struct {
	mu      sync.Mutex
	spans   []*traces.Span
	metrics []string
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil && r.Header.Get("Content-Encoding") == "gzip" {
		var plain *gzip.Reader
		if plain, err = gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, err = io.ReadAll(plain)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch r.URL.Path {
	case "/v1/traces":
		var in collecttraces.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &in)
		}
		for _, of := range in.ResourceSpans {
			for _, scope := range of.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	case "/v1/metrics":
		var in collectmetrics.ExportMetricsServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &in)
		}
		for _, of := range in.ResourceMetrics {
			for _, scope := range of.ScopeMetrics {
				for _, m := range scope.Metrics {
					c.metrics = append(c.metrics, m.Name)
				}
			}
		}
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
}

func open(t *testing.T, env map[string]string, from prometheus.Gatherer, log io.Writer) *telemetry.Telemetry {
	t.Helper()
	for name, value := range env { // the library reads the environment itself
		t.Setenv(name, value)
	}
	o := telemetry.Options{Version: "1", Gatherer: from, Getenv: os.Getenv, Logger: slog.New(slog.NewTextHandler(log, nil))}
	sends, err := telemetry.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return sends
}

func TestACallReachesTheCollector(t *testing.T) {
	c := &collector{}
	at := httptest.NewServer(c)
	defer at.Close()
	counted := prometheus.NewRegistry()
	n := prometheus.NewCounter(prometheus.CounterOpts{Name: "counted_total", Help: "n"})
	n.Inc()
	counted.MustRegister(n)
	sends := open(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": at.URL}, counted, io.Discard)

	parent := "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	ctx, end := sends.Call(context.Background(), "pipe", "recall", map[string]any{"traceparent": parent})
	_, endStep := sends.Step(ctx, "rank")
	endStep(map[string]int{"candidates": 3})
	sends.Event(ctx, "decision", map[string]string{"verdict": "deny"})
	end("not_found", 20*time.Millisecond)
	if err := sends.Close(context.Background()); err != nil {
		t.Fatal(err)
	}

	type span struct {
		Name, Trace, About, Status string
		Child                      bool
	}
	var got []span
	for _, s := range c.spans {
		about := []string{}
		for _, a := range s.Attributes {
			about = append(about, strings.Join(strings.Fields(a.Key+"="+a.Value.String()), " "))
		}
		got = append(got, span{s.Name, hex.EncodeToString(s.TraceId), strings.Join(about, " "), s.GetStatus().GetMessage(), len(s.ParentSpanId) > 0})
	}
	want := []span{
		{"rank", parent[3:35], `ctx_mcp.candidates=int_value:3`, "", true},
		{"tools/call recall", parent[3:35], `mcp.method.name=string_value:"tools/call" gen_ai.operation.name=string_value:"execute_tool" ` +
			`gen_ai.tool.name=string_value:"recall" network.transport=string_value:"pipe" error.type=string_value:"tool_error" ` +
			`ctx_mcp.outcome=string_value:"not_found"`, "not_found", true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	if got := strings.Join(c.metrics, " "); !strings.Contains(got, "mcp.server.operation.duration") || !strings.Contains(got, "counted_total") {
		t.Errorf("metrics = %q, want the duration of the call and what Prometheus counted", got)
	}
}

func TestNothingIsSentUnasked(t *testing.T) {
	c := &collector{}
	at := httptest.NewServer(c)
	defer at.Close()
	for name, env := range map[string]map[string]string{
		"no collector": {},
		"disabled":     {"OTEL_EXPORTER_OTLP_ENDPOINT": at.URL, "OTEL_SDK_DISABLED": "true"},
		"none":         {"OTEL_EXPORTER_OTLP_ENDPOINT": at.URL, "OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			sends := open(t, env, nil, io.Discard)
			_, end := sends.Call(context.Background(), "tcp", "recall", nil)
			end("ok", time.Second)
			if err := sends.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			if len(c.spans)+len(c.metrics) > 0 {
				t.Errorf("spans %v and metrics %v were sent", c.spans, c.metrics)
			}
		})
	}
}
