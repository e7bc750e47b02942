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
