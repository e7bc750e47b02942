package embedtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault answers one call in place of the server. A test may write its own.
type Fault func(Exchange)

// Exchange is one call in progress, with the rows of the honest answer.
type Exchange struct {
	Writer  http.ResponseWriter
	Request *http.Request
	Call    Call
	Rows    []Row
}

// Status answers with a status and, as some endpoints do, quotes the key and the texts in the body.
func Status(code int) Fault {
	return func(x Exchange) {
		quoted := x.Call.Authorization + " sent " + strings.Join(x.Call.Input, ", ")
		respond(x, code, map[string]any{"error": map[string]string{"message": quoted, "type": quoted}})
	}
}

// RetryAfter answers like Status, with the Retry-After header.
func RetryAfter(code int, value string) Fault {
	return func(x Exchange) {
		x.Writer.Header().Set("Retry-After", value)
		Status(code)(x)
	}
}

// Body answers with status 200 and any bytes.
func Body(body string) Fault {
	return func(x Exchange) {
		x.Writer.Header().Set("Content-Type", "application/json")
		_, _ = x.Writer.Write([]byte(body))
	}
}

// Rows answers with the honest rows as edit changes them.
func Rows(edit func([]Row) []Row) Fault {
	return func(x Exchange) {
		respond(x, http.StatusOK, map[string]any{"object": "list", "model": x.Call.Model, "data": edit(x.Rows)})
	}
}

// Reverse answers rightly with the last row first.
func Reverse() Fault {
	return Rows(func(rows []Row) []Row {
		slices.Reverse(rows)
		return rows
	})
}

// DropRow leaves out the last row.
func DropRow() Fault {
	return Rows(func(rows []Row) []Row { return rows[:len(rows)-1] })
}

// RepeatRow sends the first row in the place of the last.
func RepeatRow() Fault {
	return Rows(func(rows []Row) []Row {
		rows[len(rows)-1] = rows[0]
		return rows
	})
}

// Resize gives the last row that many dimensions.
func Resize(dims int) Fault {
	return Rows(func(rows []Row) []Row {
		v := make([]float32, dims)
		copy(v, rows[len(rows)-1].Embedding)
		rows[len(rows)-1].Embedding = v
		return rows
	})
}

// Zero sends zeros for the last row.
func Zero() Fault {
	return Rows(func(rows []Row) []Row {
		last := &rows[len(rows)-1]
		last.Embedding = make([]float32, len(last.Embedding))
		return rows
	})
}

// HalfBody promises an honest answer, sends half of it and closes the connection.
func HalfBody() Fault {
	return func(x Exchange) {
		body, err := json.Marshal(map[string]any{"object": "list", "data": x.Rows})
		if err != nil {
			panic(err)
		}
		x.Writer.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = x.Writer.Write(body[:len(body)/2])
		_ = http.NewResponseController(x.Writer).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Hangup closes the connection without an answer.
func Hangup() Fault {
	return func(Exchange) { panic(http.ErrAbortHandler) }
}

// Hang never answers; it ends when the client leaves or the server stops.
func Hang() Fault {
	return func(x Exchange) { <-x.Request.Context().Done() }
}

// Delay answers honestly after a wait. Use it with InProcess in a synctest bubble, or the test waits as well.
func Delay(d time.Duration) Fault {
	return func(x Exchange) {
		select {
		case <-x.Request.Context().Done():
		case <-time.After(d):
			Rows(func(rows []Row) []Row { return rows })(x)
		}
	}
}

// respond writes v as JSON. It panics on a value that JSON cannot hold: NaN needs Body.
func respond(x Exchange, code int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	x.Writer.Header().Set("Content-Type", "application/json")
	x.Writer.WriteHeader(code)
	_, _ = x.Writer.Write(body)
}
