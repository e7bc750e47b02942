package tokens

import (
	"strings"
	"sync"
	"testing"
)

// TestConcurrent: many callers count at once, first and later, and each gets the count of one alone.
func TestConcurrent(t *testing.T) {
	text := strings.Repeat("The request of user_42 failed: 连接 reset by peer (errno 104).\n", 40)
	var group sync.WaitGroup
	for _, e := range estimates {
		want := e.count(text, never)
		for i := range 8 {
			group.Go(func() {
				if got := e.size(text); got != want {
					t.Errorf("%s, caller %d: size = %v, want %v", e.name, i, got, want)
				}
			})
		}
	}
	group.Wait()
}
