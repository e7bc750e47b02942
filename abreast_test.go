package ctxmcp

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

// TestAbreast does each piece of work once, and hands a panic of any of them to the caller when all has ended.
func TestAbreast(t *testing.T) {
	for n := range 5 {
		var done [5]atomic.Int32
		Abreast(n, func(i int) { done[i].Add(1) })
		for i := range done {
			if got, want := done[i].Load(), int32(0); i < n && got != 1 || i >= n && got != want {
				t.Errorf("Abreast(%d): work %d was done %d times", n, i, got)
			}
		}
	}
	for breaks := range 3 {
		var ended atomic.Int32
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "broken") {
					t.Errorf("work %d broke, and the caller recovered %v", breaks, p)
				}
			}()
			Abreast(3, func(i int) {
				defer ended.Add(1)
				if i == breaks {
					panic("broken")
				}
			})
		}()
		if ended.Load() != 3 {
			t.Errorf("work %d broke: %d of 3 had ended", breaks, ended.Load())
		}
	}
}
