package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/driver"
)

const callers = 32

// rememberMany counts the statements that callers over HTTP have stored in two seconds, client included.
func rememberMany(ctx context.Context, b *bench) (measured, error) {
	dir, err := os.MkdirTemp(b.work, "many")
	if err != nil {
		return measured{}, err
	}
	p, err := driver.Start(driver.Options{Binary: b.server, Data: dir, Env: append(os.Environ(), "CTX_MCP_LIMITS_HEAVY_CALLS=64")})
	if err != nil {
		return measured{}, err
	}
	clients := make([]*driver.Client, callers)
	for i := range clients {
		if clients[i], err = p.Connect(ctx, nil); err != nil {
			return measured{}, err
		}
	}
	var stored atomic.Int64
	var failed error
	var once sync.Once
	var all sync.WaitGroup
	before, began := processor(p.ID()), time.Now()
	for i, c := range clients {
		all.Go(func() {
			for n := 0; time.Since(began) < 2*time.Second; n++ {
				var out map[string]any
				if err := c.Call(ctx, "remember", map[string]any{"content": fmt.Sprintf("Parcel %d of caller %d goes to harbour %d.", n, i, n%97)}, &out); err != nil {
					once.Do(func() { failed = err })
					return
				}
				stored.Add(1)
			}
		})
	}
	all.Wait()
	took, used := time.Since(began).Seconds(), processor(p.ID())-before
	if err := p.Stop(); err != nil {
		return measured{}, err
	}
	n := float64(stored.Load())
	return measured{n / took, used / n}, failed
}

// run runs the binary to its end.
func run(binary string, args ...string) error {
	if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w: %s", binary, args, err, out)
	}
	return nil
}
