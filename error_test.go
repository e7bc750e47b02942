package ctxmcp_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// wantError checks the code of the error and the beginning of its message.
func wantError(t *testing.T, err error, code ctxmcp.Code, prefix string) {
	t.Helper()
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok || e.Code != code || !strings.Contains(e.Message, prefix) {
		t.Errorf("error = %v (%s), want %q (%s)", err, ctxmcp.CodeOf(err), prefix, code)
	}
}

func TestError(t *testing.T) {
	plain := ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s has ended", "a")
	full := plain.WithHint("use %s", "b").WithCause(io.ErrUnexpectedEOF)
	if plain.Hint != "" || plain.Err != nil {
		t.Errorf("WithHint or WithCause changed the error that it was called on: %+v", plain)
	}
	if got, want := full.Error(), "object a has ended: unexpected EOF"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if full.Message != "object a has ended" || full.Hint != "use b" || !errors.Is(full, io.ErrUnexpectedEOF) {
		t.Errorf("%+v has lost a part", full)
	}
}

func TestCodeOf(t *testing.T) {
	inner := ctxmcp.Errorf(ctxmcp.CodeDenied, "no")
	for _, tt := range []struct {
		err  error
		want ctxmcp.Code
	}{
		{inner, ctxmcp.CodeDenied},
		{fmt.Errorf("remember: %w", inner), ctxmcp.CodeDenied},
		{errors.Join(io.EOF, inner), ctxmcp.CodeDenied},
		{ctxmcp.Errorf(ctxmcp.CodeInvalid, "outer").WithCause(inner), ctxmcp.CodeInvalid},
		{io.EOF, ctxmcp.CodeInternal},
	} {
		if got := ctxmcp.CodeOf(tt.err); got != tt.want {
			t.Errorf("CodeOf(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}

// TestReworded: no text of the first error is left, and its code and its cause are.
func TestReworded(t *testing.T) {
	veil := func(text string) string { return strings.ReplaceAll(text, "secret", "…") }
	inner := ctxmcp.Errorf(ctxmcp.CodeInvalid, "no secret").WithHint("not secret").WithCause(fmt.Errorf("secret: %w", io.ErrUnexpectedEOF))
	for _, err := range []error{inner, fmt.Errorf("secret: %w", inner), fmt.Errorf("secret: %w", io.ErrUnexpectedEOF)} {
		got := ctxmcp.Reworded(err, veil)
		e, _ := errors.AsType[*ctxmcp.Error](got)
		if all := fmt.Sprintf("%v %+v", got, e); strings.Contains(all, "secret") {
			t.Errorf("Reworded(%v) = %s", err, all)
		}
		if ctxmcp.CodeOf(got) != ctxmcp.CodeOf(err) || !errors.Is(got, io.ErrUnexpectedEOF) {
			t.Errorf("Reworded(%v) = %v, of code %s", err, got, ctxmcp.CodeOf(got))
		}
	}
}
