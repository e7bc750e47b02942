package ctxmcp

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Abreast does work for each number below n, side by side, and returns when all of it is done. A panic in it is one of the caller, who knows how to
// contain it.
func Abreast(n int, do func(i int)) {
	var all sync.WaitGroup
	broken := make([]any, n)
	for i := range n - 1 {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					broken[i] = fmt.Errorf("%v\n%s", p, debug.Stack())
				}
			}()
			do(i)
		})
	}
	if n > 0 {
		defer all.Wait() // also where this one breaks
		do(n - 1)
	}
	all.Wait()
	for _, p := range broken {
		if p != nil {
			panic(p)
		}
	}
}
