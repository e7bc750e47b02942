package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// reply is a JSON-RPC response.
type reply struct {
	Version string          `json:"jsonrpc"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// toolResult is the result of tools/call.
type toolResult struct {
	IsError    bool            `json:"isError"`
	Structured json.RawMessage `json:"structuredContent"`
	Content    []struct {
		Text string `json:"text"`
	} `json:"content"`
}

// codes are the errors that a tool may answer with; internal is not one that a caller may cause.
var codes = []string{"invalid", "not_found", "conflict", "denied", "too_large", "unavailable"}

// refusals are the statuses with which a server may turn a message away.
var refusals = []int{
	http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
	http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge, http.StatusUnsupportedMediaType, http.StatusServiceUnavailable,
}

const (
	internalError   = -32603   // of JSON-RPC
	maxErrorMessage = 16 << 10 // bytes: an error that quotes all that it was sent is no help
)

// Judge returns how a call was answered, in a word, and the problem with the answer, if it is one that no call may get.
// canary is a text of another tenant.
func Judge(a Answer, canary string) (outcome, problem string) {
	var m reply
	if canary != "" && bytes.Contains(a.Body, []byte(canary)) {
		return "leak", "the answer holds a text of another tenant"
	}
	if a.Status != http.StatusOK && !slices.Contains(refusals, a.Status) {
		return "status", fmt.Sprintf("status %d: %.300s", a.Status, a.Body)
	}
	if err := json.Unmarshal(a.Message, &m); err != nil || m.Version != "2.0" || (m.Error == nil) == (m.Result == nil) {
		return "shape", fmt.Sprintf("no JSON-RPC response: %d %.300q", a.Status, a.Body)
	}
	if m.Error != nil {
		return judgeError(m.Error.Code, m.Error.Message)
	}
	return judgeResult(m.Result)
}

func judgeError(code int, message string) (outcome, problem string) {
	word, _, _ := strings.Cut(message, ":") // of a resource, the library gives every error the code of an internal one
	switch {
	case code == internalError && !slices.Contains(codes, word):
		return "internal", "internal error: " + message
	case message == "" || len(message) > maxErrorMessage:
		return "refused", fmt.Sprintf("an error of %d bytes: %.300s", len(message), message)
	}
	return "refused", ""
}

func judgeResult(result json.RawMessage) (outcome, problem string) {
	var r toolResult
	if err := json.Unmarshal(result, &r); err != nil || !r.IsError {
		return "ok", ""
	}
	var body struct {
		Error struct{ Code, Message string } `json:"error"`
	}
	if err := json.Unmarshal(orNull(r.Structured), &body); err != nil || !slices.Contains(codes, body.Error.Code) {
		return "internal", fmt.Sprintf("an error without a code that a caller may cause: %.300s", result)
	}
	if n := len(body.Error.Message); n == 0 || n > maxErrorMessage {
		return body.Error.Code, fmt.Sprintf("an error of %d bytes: %.300s", n, body.Error.Message)
	}
	return body.Error.Code, ""
}
