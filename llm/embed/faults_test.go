package embed_test

import (
	"net/http"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/llm/embed"
	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
)

func TestEmbedRetriesPassingFaults(t *testing.T) {
	for name, fault := range map[string]embedtest.Fault{
		"408":           embedtest.Status(http.StatusRequestTimeout),
		"429":           embedtest.Status(http.StatusTooManyRequests),
		"429 and wait":  embedtest.RetryAfter(http.StatusTooManyRequests, "3600"), // noWaits is obeyed alone
		"500":           embedtest.Status(http.StatusInternalServerError),
		"503":           embedtest.Status(http.StatusServiceUnavailable),
		"599":           embedtest.Status(599),
		"half a body":   embedtest.HalfBody(),
		"half a JSON":   embedtest.Body(`{"data":[{"index":0,"embedd`),
		"no body":       embedtest.Body(""),
		"no answer":     embedtest.Hangup(),
		"not even HTTP": raw("220 smtp ready\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t)
			srv.Inject(fault, fault)
			got, err := newClient(t, srv, nil).Embed(t.Context(), texts)
			checkVectors(t, got, err)
			wantRequests(t, srv, 3)
		})
	}
}

func TestEmbedGivesUp(t *testing.T) {
	srv := newServer(t)
	srv.InjectAlways(embedtest.Status(http.StatusInternalServerError))
	_, err := newClient(t, srv, nil).Embed(t.Context(), texts)
	wantError(t, err, ctxmcp.CodeUnavailable, "failed (status 500)")
	wantRequests(t, srv, 4)

	_, err = newClient(t, srv, func(o *embed.Options) { o.MaxAttempts = 1 }).Embed(t.Context(), texts)
	wantError(t, err, ctxmcp.CodeUnavailable, "failed (status 500)")
	wantRequests(t, srv, 5)
}

func TestEmbedNamesNetworkFaults(t *testing.T) {
	srv := newServer(t)
	srv.InjectAlways(embedtest.HalfBody())
	_, err := newClient(t, srv, nil).Embed(t.Context(), texts)
	wantError(t, err, ctxmcp.CodeUnavailable, "the connection closed before the answer was complete")

	closed := newClient(t, srv, func(o *embed.Options) { o.BaseURL = "http://127.0.0.1:1" })
	_, err = closed.Embed(t.Context(), texts)
	wantError(t, err, ctxmcp.CodeUnavailable, "the embedding endpoint did not answer: the connection")
}

// TestEmbedDoesNotRepeatRefusals holds for answers that would be the same again, and for wrong ones.
func TestEmbedDoesNotRepeatRefusals(t *testing.T) {
	for _, test := range []struct {
		fault   embedtest.Fault
		code    ctxmcp.Code
		message string
	}{
		{embedtest.Status(400), ctxmcp.CodeInvalid, "refused the request (status 400)"},
		{embedtest.Status(422), ctxmcp.CodeInvalid, "refused the request (status 422)"},
		{embedtest.Status(413), ctxmcp.CodeTooLarge, "too large (status 413)"},
		{embedtest.Status(401), ctxmcp.CodeUnavailable, "refused the API key (status 401)"},
		{embedtest.Status(403), ctxmcp.CodeUnavailable, "refused the API key (status 403)"},
		{embedtest.Status(404), ctxmcp.CodeUnavailable, "does not know the model or the path (status 404)"},
		{redirect, ctxmcp.CodeUnavailable, "failed (status 307)"},
		{embedtest.DropRow(), ctxmcp.CodeUnavailable, "sent 4 vectors for 5 texts"},
		{embedtest.RepeatRow(), ctxmcp.CodeUnavailable, "sent two vectors for text 1 of 5"},
		{reindex(5), ctxmcp.CodeUnavailable, "whose index is none of the 5 texts"},
		{reindex(-1), ctxmcp.CodeUnavailable, "whose index is none of the 5 texts"},
		{embedtest.Resize(dims + 1), ctxmcp.CodeUnavailable, "sent a vector of 9 dimensions instead of 8"},
		{embedtest.Resize(0), ctxmcp.CodeUnavailable, "sent an empty vector"},
		{embedtest.Zero(), ctxmcp.CodeUnavailable, "zero or not finite"},
		{embedtest.Body(`{"data":[{"embedding":[NaN,1]}]}`), ctxmcp.CodeUnavailable, "not a JSON list of vectors"},
		{embedtest.Body(`{"data":[{"embedding":[1e39,1]}]}`), ctxmcp.CodeUnavailable, "not a JSON list of vectors"},
		{embedtest.Body(`{"data":[{"embedding":[null, 1]}]}`), ctxmcp.CodeUnavailable, "sent null for a number"},
		{embedtest.Body(`{"error":{"message":"out of memory"}}`), ctxmcp.CodeUnavailable, "sent 0 vectors for 5 texts"},
		{embedtest.Body(`<html>welcome</html>`), ctxmcp.CodeUnavailable, "not a JSON list of vectors"},
	} {
		t.Run(test.message, func(t *testing.T) {
			srv := newServer(t)
			srv.Inject(test.fault)
			got, err := newClient(t, srv, nil).Embed(t.Context(), texts)
			wantError(t, err, test.code, test.message)
			if got != nil {
				t.Errorf("vectors = %v, want none", got)
			}
			wantRequests(t, srv, 1)
		})
	}
}

func TestEmbedEnforcesDimensions(t *testing.T) {
	srv := newServer(t)
	_, err := newClient(t, srv, func(o *embed.Options) { o.Dimensions = 16 }).Embed(t.Context(), texts)
	wantError(t, err, ctxmcp.CodeUnavailable, "sent a vector of 8 dimensions instead of 16")
}

func TestEmbedRefusesDimensionsThatChangeBetweenBatches(t *testing.T) {
	srv := newServer(t)
	srv.Inject(embedtest.Resize(16))
	c := newClient(t, srv, func(o *embed.Options) { o.BatchSize = 1 })
	got, err := c.Embed(t.Context(), texts)
	wantError(t, err, ctxmcp.CodeUnavailable, "sent a vector of 8 dimensions instead of 16")
	if got != nil {
		t.Errorf("vectors = %v, want none", got)
	}
}

// raw answers with bytes that the HTTP server has no part in.
func raw(bytes string) embedtest.Fault {
	return func(x embedtest.Exchange) {
		conn, _, err := http.NewResponseController(x.Writer).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = conn.Write([]byte(bytes))
		_ = conn.Close()
	}
}

// redirect sends the call to where a client that followed would be answered.
func redirect(x embedtest.Exchange) {
	x.Writer.Header().Set("Location", x.Request.URL.Path)
	x.Writer.WriteHeader(http.StatusTemporaryRedirect)
}

// reindex gives the last row another index.
func reindex(index int) embedtest.Fault {
	return embedtest.Rows(func(rows []embedtest.Row) []embedtest.Row {
		rows[len(rows)-1].Index = index
		return rows
	})
}
