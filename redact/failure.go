package redact

import (
	"context"
	"fmt"
	"runtime"
)

// Try is Text for who waits for it, and cannot contain a panic: a detector that fails, or the end of ctx, is an error, which
// holds nothing of the text, and no text is returned with it.
func (r *Redactor) Try(ctx context.Context, s string) (redacted string, found []Finding, err error) {
	defer contain(&err)
	redacted, found = r.text(ctx, s)
	if err := ended(ctx); err != nil {
		return "", nil, err
	}
	return redacted, found, nil
}

// contain turns a panic into an error. The value of a panic may hold the text, so only its type is told, and of the
// runtime's own errors, which are of numbers, the message.
func contain(err *error) {
	switch p := recover().(type) {
	case nil:
	case runtime.Error:
		*err = fmt.Errorf("a detector of secrets failed: %s", p.Error())
	default:
		*err = fmt.Errorf("a detector of secrets failed with a %T", p)
	}
}
