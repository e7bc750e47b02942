package ranking

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestForget: after an erasure no text that was read is kept for the next question.
func TestForget(t *testing.T) {
	held := func() (n int) {
		for i := range statements {
			if statements[i].Load() != nil {
				n++
			}
		}
		return n
	}
	c := Candidate{Object: &ctxmcp.ContextObject{ObjectID: "m1", Version: 1, Content: "My locker opens with the marmalade key."}}
	if c.Reading(); held() == 0 {
		t.Fatal("nothing is kept: the test shows nothing")
	}
	Forget()
	if n := held(); n > 0 {
		t.Errorf("%d statements are kept after Forget, want none", n)
	}
}
