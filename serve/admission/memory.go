package admission

import (
	"log/slog"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Memory watches how much memory the process has left.
type Memory struct {
	Gauges []Gauge
	Logger *slog.Logger
	// Collect gives back memory; nil: a garbage collection, whose free memory goes back to the system.
	Collect func()
	// Spare returns how many bytes giving back could bring; nil: those that the runtime holds more than it once made do with.
	Spare func() int64

	mu        sync.Mutex
	collected time.Time
	rest      *time.Timer  // runs giveBack; nil before the first Rest
	idle      *time.Timer  // runs trim, when the store has closed the connections that nobody uses
	least     atomic.Int64 // the least that the runtime held after work; 0 before the first time
}

// Gauge is one limit on memory, and how much of it is used, in bytes.
type Gauge struct {
	Name  string // for the log: the memory limit, RLIMIT_DATA
	Limit int64
	Used  func() int64
}

// nearly is the share of a limit, in percent, above which memory is short.
const nearly = 85

// collectEvery is how often a shortage may cost a garbage collection.
const collectEvery = time.Second

// restAfter is how long no work was under way when memory goes back to the system, and worthCollecting how many bytes that has to
// bring. The runtime does it by itself, at most every two minutes, and keeps a share. Memory of C libraries goes back after idleAfter:
// the store keeps connections, with their pages, for half a minute.
const (
	restAfter       = 10 * time.Second
	idleAfter       = 65 * time.Second
	worthCollecting = 32 << 20
)

// Rest says that work has ended. Unless it is said again, memory that nothing needs goes back to the system after a while.
func (m *Memory) Rest() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rest == nil {
		m.rest, m.idle = time.AfterFunc(restAfter, m.giveBack), time.AfterFunc(idleAfter, trim)
		return
	}
	m.rest.Reset(restAfter)
	m.idle.Reset(idleAfter)
}

func (m *Memory) giveBack() {
	spare := m.Spare
	if spare == nil {
		spare = m.more
	}
	if spare() >= worthCollecting {
		m.collect()
	}
	if held, _ := GoMemory(); m.least.Load() == 0 || held < m.least.Load() {
		m.least.Store(held)
	}
}

// more returns how many bytes the runtime holds more than the least after work. The last collection is no measure, and neither is
// the last time of giving back: both may have been in the middle of work.
func (m *Memory) more() int64 {
	held, _ := GoMemory()
	return held - m.least.Load()
}

// Near returns CodeUnavailable, with when to try again, while the process uses nearly as much memory as a gauge allows, also
// after garbage has been collected.
func (m *Memory) Near() error {
	if m.short() == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.collected) >= collectEvery {
		m.collect()
		m.collected = time.Now()
	}
	g := m.short()
	if g == nil {
		return nil
	}
	m.Logger.Warn("memory is short", "limit", g.Name, "bytes", g.Limit, "used", g.Used())
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server's memory is nearly used up").WithHint("try again in 2 s, with less at once")
}

func (m *Memory) short() *Gauge {
	for i, g := range m.Gauges {
		if g.Used() > g.Limit/100*nearly {
			return &m.Gauges[i]
		}
	}
	return nil
}

func (m *Memory) collect() {
	if m.Collect != nil {
		m.Collect()
		return
	}
	debug.FreeOSMemory()
}

// GoMemory returns how much memory Go's runtime holds, as its memory limit counts it, and how much of its mapped
// memory it could use again without asking for more.
func GoMemory() (held, spare int64) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	total, released, free := int64(samples[0].Value.Uint64()), int64(samples[1].Value.Uint64()), int64(samples[2].Value.Uint64())
	return total - released, released + free
}
