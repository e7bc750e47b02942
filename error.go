package ctxmcp

import (
	"errors"
	"fmt"
)

// Code is the kind of failure of an Error. Codes are sent to clients: append only, never rename.
type Code string

// The codes, in the order in which an edge should try them.
const (
	CodeInvalid     Code = "invalid"     // the arguments are wrong; calling again unchanged cannot help
	CodeNotFound    Code = "not_found"   // it does not exist, or the caller may not know that it does
	CodeConflict    Code = "conflict"    // the state changed or contradicts; read again, then retry
	CodeDenied      Code = "denied"      // the caller's identity does not allow it
	CodeTooLarge    Code = "too_large"   // over a documented limit
	CodeUnavailable Code = "unavailable" // something this needs is down; retrying later may help
	CodeInternal    Code = "internal"    // a fault of the server; details are in its log only
)

// Error is a failure with two texts: Message and Hint are for the agent and never quote another error; Err is for the
// operator's log and never leaves the process.
type Error struct {
	Code    Code
	Message string // the fault, lowercase, no full stop
	Hint    string // the remedy; may be empty
	Err     error  // the cause, for the log
}

// Error returns the text for logs: the message, then the cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error with the code and a formatted message. Do not format another error into it: the text goes to
// the agent.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithHint returns a copy of e with a remedy.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// WithCause returns a copy of e that carries err for the log.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// Reworded returns err with every text of it, for the agent and for the log, as do makes it. Its code, and the causes that
// errors.Is and errors.As find, stay.
func Reworded(err error, do func(string) string) error {
	e, told := errors.AsType[*Error](err)
	if !told {
		return &reworded{do(err.Error()), err}
	}
	c := *e
	c.Message, c.Hint = do(e.Message), do(e.Hint)
	if e.Err != nil {
		c.Err = &reworded{do(e.Err.Error()), e.Err}
	}
	return &c
}

// reworded is an error with another text.
type reworded struct {
	text string
	err  error
}

func (r *reworded) Error() string { return r.text }
func (r *reworded) Unwrap() error { return r.err }

// CodeOf returns the code of the first Error in err's chain, and CodeInternal for any other error.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}
