package reduce

import "log/slog"

// event is a diagnosis: the words that a reader of the log looks for, and how grave it is.
type event struct {
	Level   slog.Level
	Message string
}

// The diagnoses. Their beginnings are looked for in logs: they are only added to.
var (
	estimateEmpty     = event{slog.LevelInfo, "TOKEN ESTIMATION: messages is empty"}
	estimateFallback  = event{slog.LevelInfo, "BUDGET CHECK FALLBACK: Using telemetry tokens"}
	thresholdExceeded = event{slog.LevelWarn, "THRESHOLD EXCEEDED"}
	nearLimit         = event{slog.LevelWarn, "BUDGET WARNING: over the warning threshold without a reduction"}
	compressing       = event{slog.LevelInfo, "LAYER 2 COMPRESSION"}
	contextReduced    = event{slog.LevelInfo, "Context reduced"}
	keepFailed        = event{slog.LevelError, "ARTIFACT NOT KEPT"}
	holdFailed        = event{slog.LevelWarn, "ARTIFACTS NOT HELD"}
	noteFailed        = event{slog.LevelWarn, "REDUCTION NOT NOTED"}
	thinkingDropped   = event{slog.LevelInfo, "THINKING DROPPED: it stood behind a message that was edited"}
	summaryFailed     = event{slog.LevelWarn, "SUMMARY FAILED"}
	stillOver         = event{slog.LevelError, "BUDGET CHECK ABORT: over the ceiling after all layers"}
)
