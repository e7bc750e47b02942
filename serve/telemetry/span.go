package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Call begins the span of one tools/call, as a child of the client's span where meta, the _meta of the request, names one in
// "traceparent" (https://github.com/open-telemetry/semantic-conventions-genai, MCP). transport is "pipe" or "tcp". The function that
// it returns ends the span with the outcome, "ok", "asking" or the code of the error, and how long the call took.
func (t *Telemetry) Call(ctx context.Context, transport, tool string, meta map[string]any) (context.Context, func(outcome string, took time.Duration)) {
	carrier := propagation.MapCarrier{}
	for _, key := range []string{"traceparent", "tracestate"} {
		if text, is := meta[key].(string); is {
			carrier[key] = text
		}
	}
	about := []attribute.KeyValue{
		attribute.String("mcp.method.name", "tools/call"), attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", tool), attribute.String("network.transport", transport),
	}
	ctx, span := t.tracer.Start(propagation.TraceContext{}.Extract(ctx, carrier), "tools/call "+tool,
		trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(about...))
	return ctx, func(outcome string, took time.Duration) {
		if outcome != "ok" && outcome != "asking" {
			about = append(about, attribute.String("error.type", "tool_error"))
			span.SetAttributes(attribute.String("error.type", "tool_error"))
			span.SetStatus(codes.Error, outcome)
		}
		span.SetAttributes(attribute.String("ctx_mcp.outcome", outcome))
		t.durations.Record(ctx, took.Seconds(), metric.WithAttributes(about...))
		span.End()
	}
}

// Step begins the span of a part of a call, such as a stage of the compiler, and returns the function that ends it, with figures of it by name.
func (t *Telemetry) Step(ctx context.Context, name string) (context.Context, func(figures map[string]int)) {
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, func(figures map[string]int) {
		for key, n := range figures {
			span.SetAttributes(attribute.Int("ctx_mcp."+key, n))
		}
		span.End()
	}
}

// Event adds a moment to the span of ctx, with words of closed lists by name. It is nothing where there is no span.
func (t *Telemetry) Event(ctx context.Context, name string, words map[string]string) {
	about := make([]attribute.KeyValue, 0, len(words))
	for key, word := range words {
		about = append(about, attribute.String("ctx_mcp."+key, word))
	}
	trace.SpanFromContext(ctx).AddEvent(name, trace.WithAttributes(about...))
}
