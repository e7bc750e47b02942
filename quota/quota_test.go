package quota_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name            string
		limit, used, is int64
		correct, over   bool
	}{
		{"no limit", 0, math.MaxInt64, math.MaxInt64, false, false},
		{"up to the limit", 10, 7, 3, false, false},
		{"one beyond", 10, 8, 3, false, true},
		{"nothing is added to what is over", 10, 99, 0, false, false},
		{"a correction has a tenth more", 10, 10, 1, true, false},
		{"and no more than that", 10, 11, 1, true, true},
		{"a reserve is rounded up", 1, 1, 1, true, false},
		{"the sum does not overflow", 10, 3, math.MaxInt64, false, true},
		{"used beyond a limit that was lowered", 10, math.MaxInt64, 1, true, true},
	} {
		err := quota.Limits{quota.Packets: c.limit}.Check(quota.Claim{Name: quota.Packets, Add: c.is, Correct: c.correct}, c.used)
		if (err != nil) != c.over || err != nil && ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge {
			t.Errorf("%s: Check = %v, want over: %v", c.name, err, c.over)
		}
	}
}

// TestErrorSaysAll: the error of every quota names it, its limit and how full it is, and the hint says what frees room and what the
// operator can set.
func TestErrorSaysAll(t *testing.T) {
	for _, name := range quota.Names() {
		err := quota.Limits{name: 7654}.Check(quota.Claim{Name: name, Add: 12}, 7650)
		e, ok := err.(*ctxmcp.Error)
		if !ok {
			t.Fatalf("Check of %s = %v", name, err)
		}
		for _, part := range []string{string(name), "7650 of 7654", "adds 12"} {
			if !strings.Contains(e.Message, part) {
				t.Errorf("the message of %s lacks %q: %s", name, part, e.Message)
			}
		}
		if !strings.Contains(e.Hint, "quotas."+string(name)) || len(e.Hint) < 60 {
			t.Errorf("the hint of %s does not say what frees room: %s", name, e.Hint)
		}
	}
}
