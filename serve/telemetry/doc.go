// Package telemetry sends traces and metrics to an OpenTelemetry collector, over OTLP and HTTP.
//
// It owns the names of spans and their attributes: those of the OpenTelemetry conventions for MCP and generative AI, where they
// exist. It refuses to send anything unless the environment names a collector, and it never sends the arguments or the result
// of a call: names, outcomes, counts and durations are all that it is told.
//
// The variables are OpenTelemetry's own: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME,
// OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, OTEL_SDK_DISABLED and the rest.
package telemetry
