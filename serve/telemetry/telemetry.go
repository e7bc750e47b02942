package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	meters "go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	spans "go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
)

// scope names the maker of a span or a figure.
const scope = "github.com/ctx-mcp/ctx-mcp"

// Options name the figures that are sent, besides the spans.
type Options struct {
	Version  string
	Gatherer prometheus.Gatherer      // its metrics are sent too; nil: none
	Getenv   func(name string) string // where the collector is looked for
	Logger   *slog.Logger             // is told of failures to send
}

// Telemetry makes spans. Without a collector it makes none, at next to no cost.
type Telemetry struct {
	tracer    spans.Tracer
	durations meters.Float64Histogram
	closers   []func(context.Context) error
}

// Open connects to the collector that the environment names, if it names one. Nothing is sent yet, and a collector that cannot be
// reached later costs a line in the log. An address that cannot be read is an error.
func Open(ctx context.Context, o Options) (*Telemetry, error) {
	t := &Telemetry{tracer: tracenoop.NewTracerProvider().Tracer(scope), durations: metricnoop.Float64Histogram{}}
	if strings.EqualFold(o.Getenv("OTEL_SDK_DISABLED"), "true") {
		return t, nil
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "ctx-mcp"),
		attribute.String("service.version", o.Version)), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("read OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	if o.wants("TRACES") {
		err = t.sendSpans(ctx, about)
	}
	if err == nil && o.wants("METRICS") {
		err = t.sendMetrics(ctx, about, o.Gatherer)
	}
	if err != nil {
		return nil, errors.Join(err, t.Close(ctx))
	}
	if len(t.closers) > 0 {
		otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Logger.Warn("telemetry could not be sent", "error", err) }))
	}
	return t, nil
}

// wants reports whether a signal, TRACES or METRICS, has somewhere to go.
func (o Options) wants(signal string) bool {
	if exporter := o.Getenv("OTEL_" + signal + "_EXPORTER"); exporter != "" && exporter != "otlp" {
		return false
	}
	return o.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || o.Getenv("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT") != ""
}

func (t *Telemetry) sendSpans(ctx context.Context, about *resource.Resource) error {
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return fmt.Errorf("connect traces to the collector: %w", err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	t.tracer, t.closers = provider.Tracer(scope), append(t.closers, provider.Shutdown)
	return nil
}

func (t *Telemetry) sendMetrics(ctx context.Context, about *resource.Resource, from prometheus.Gatherer) error {
	exporter, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return fmt.Errorf("connect metrics to the collector: %w", err)
	}
	var more []metric.PeriodicReaderOption
	if from != nil {
		more = append(more, metric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(from))))
	}
	provider := metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(exporter, more...)), metric.WithResource(about))
	t.closers = append(t.closers, provider.Shutdown)
	t.durations, err = provider.Meter(scope).Float64Histogram("mcp.server.operation.duration", meters.WithUnit("s"),
		meters.WithDescription("The duration of the MCP request as observed on the receiver."))
	return err
}

// Close sends the spans and figures that have gathered, and ends.
func (t *Telemetry) Close(ctx context.Context) error {
	var failed []error
	for _, c := range t.closers {
		failed = append(failed, c(ctx))
	}
	return errors.Join(failed...)
}
