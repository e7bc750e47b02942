package serve

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// exchange is one request and its answer, as the log tells it.
type exchange struct {
	http.ResponseWriter
	began  time.Time
	status int
	user   string
}

// WriteHeader notes the status.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write notes the status that it implies.
func (x *exchange) Write(text []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	return x.ResponseWriter.Write(text)
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// log writes the line of an exchange: never a query string, a header or a body. Machines ask for the other endpoints
// every few seconds: those stay at debug level.
func (h *Handler) log(x *exchange, r *http.Request) {
	level := slog.LevelDebug
	if r.URL.Path == h.o.Path {
		level = slog.LevelInfo
	}
	h.o.Logger.LogAttrs(context.WithoutCancel(r.Context()), level, "http request",
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.Int("status", x.status),
		slog.Duration("duration", time.Since(x.began)),
		slog.String("user", x.user))
}
