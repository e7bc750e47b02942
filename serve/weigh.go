package serve

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Messages bounds the memory that messages under way take together.
type Messages interface {
	// Enter returns once a message of a weight, in bytes of memory, may be read for a caller; leave, which may be called
	// twice, says that its memory is free again. It returns CodeUnavailable if there is no room, and the error of ctx.
	Enter(ctx context.Context, by ctxmcp.Caller, weight int64) (leave func(), err error)
}

// lightMessage is the size in bytes up to which a message is let in without being weighed.
const lightMessage = 4 << 10

// The weights of a message estimate its memory while it is under way: its bytes are held a few times over, by the transport,
// the library and the tool, and each value of its JSON is an allocation of its own wherever it is decoded.
const (
	weightOfByte  = 4
	weightOfValue = 150
)

// maxValues is how many values the JSON of a message may have. A text that is JSON itself is one.
const maxValues = 1_000_000

// enter waits for room for a message of the weight, if anything bounds it.
func enter(ctx context.Context, m Messages, by ctxmcp.Caller, weight int64) (leave func(), err error) {
	if m == nil || weight <= lightMessage*weightOfByte {
		return func() {}, nil
	}
	return m.Enter(ctx, by, weight)
}

// admitsBody waits for room for the body of a POST, before any of it is read, and answers 503 if there is none.
func (h *Handler) admitsBody(w http.ResponseWriter, r *http.Request) (leave func(), ok bool) {
	most := h.maxBody(r)
	if r.ContentLength >= 0 {
		most = min(most, r.ContentLength)
	}
	return h.admitsWeight(w, r, most*weightOfByte)
}

// admitsMessage waits for room for a message that was read, with all its values, before it is decoded.
func (h *Handler) admitsMessage(w http.ResponseWriter, r *http.Request, body []byte) (leave func(), ok bool) {
	return h.admitsWeight(w, r, weight(body))
}

// weight returns about how many bytes of memory a message takes while it is under way.
func weight(text []byte) int64 {
	return int64(len(text))*weightOfByte + int64(ijson.Values(text))*weightOfValue
}

func (h *Handler) admitsWeight(w http.ResponseWriter, r *http.Request, weight int64) (leave func(), ok bool) {
	caller, _ := CallerFrom(r.Context())
	leave, err := enter(r.Context(), h.o.Messages, caller, weight)
	if err != nil {
		w.Header().Set("Connection", "close")
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
		refuse(w, http.StatusServiceUnavailable, serverError, fmt.Sprintf("too much is under way; try again in %d s", retryAfter))
		return nil, false
	}
	return leave, true
}

// retryAfter is how many seconds a client is told to wait for room.
const retryAfter = 2

// tooMany returns the answer to a message with too many values, which is not decoded.
func tooMany(text []byte) *mcp.JSONRPCError {
	if ijson.Values(text) <= maxValues {
		return nil
	}
	refusal := errorMessage(mcp.INVALID_REQUEST, fmt.Sprintf("the message has more than %d values; send it in parts, or as a text", maxValues))
	ends := bytes.Join([][]byte{text[:edge], text[len(text)-edge:]}, []byte("\n"))
	refusal.ID = idOfEnds(bytes.ReplaceAll(ends, []byte("\n"), []byte(" ")))
	return &refusal
}
