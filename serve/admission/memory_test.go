package admission

import (
	"bytes"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestMemoryIsShortNearALimit: garbage is collected first, once a second at most, and the memory that is left decides.
func TestMemoryIsShortNearALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged strings.Builder
		used, garbage, collections := int64(0), int64(0), 0
		m := &Memory{
			Gauges: []Gauge{
				{"none", math.MaxInt64, func() int64 { return 1 << 40 }},
				{"RLIMIT_DATA", 1000, func() int64 { return used + garbage }},
			},
			Logger:  slog.New(slog.NewTextHandler(&logged, nil)),
			Collect: func() { garbage = 0; collections++ },
		}
		for i, step := range []struct {
			used, garbage, after int64
			short                bool
			collections          int
		}{
			{used: 800, garbage: 0, short: false, collections: 0},
			{used: 800, garbage: 100, short: false, collections: 1},
			{used: 800, garbage: 100, short: true, collections: 1}, // not again so soon
			{used: 800, garbage: 100, after: 1, short: false, collections: 2},
			{used: 900, garbage: 0, after: 1, short: true, collections: 3},
			{used: 100, garbage: 0, short: false, collections: 3},
		} {
			time.Sleep(time.Duration(step.after) * collectEvery)
			used, garbage = step.used, step.garbage
			err := m.Near()
			if short := ctxmcp.CodeOf(err) == ctxmcp.CodeUnavailable && err != nil; short != step.short || collections != step.collections {
				t.Errorf("step %d: %v after %d collections", i, err, collections)
			}
		}
		if !strings.Contains(logged.String(), "limit=RLIMIT_DATA bytes=1000 used=900") {
			t.Errorf("the log is %s", &logged)
		}
	})
}

// written returns 64 MiB that are written to, so that the system has to back them.
func written() []byte { return bytes.Repeat([]byte{1}, 64<<20) }

// TestGoMemory: the runtime's memory grows with the program's, and shrinks when that is given back.
func TestGoMemory(t *testing.T) {
	before, _ := GoMemory()
	block := written()
	during, _ := GoMemory()
	if during < before+32<<20 || block[0] != 1 {
		t.Errorf("held %d, then %d with 64 MiB more", before, during)
	}
	block = nil
	(&Memory{}).collect()
	if after, spare := GoMemory(); after > during-32<<20 || spare < 32<<20 {
		t.Errorf("held %d, then %d without them; %d to spare", during, after, spare)
	}
}

// TestWhatWasAliveGoesBackToo: the memory held decides how much comes back, and not the memory that the last collection found alive.
func TestWhatWasAliveGoesBackToo(t *testing.T) {
	m := &Memory{}
	m.giveBack()
	block := written()
	runtime.GC()
	during, _ := GoMemory()
	runtime.KeepAlive(block)
	block = nil
	m.giveBack()
	if after, _ := GoMemory(); after > during-32<<20 {
		t.Errorf("held %d, then %d without 64 MiB", during, after)
	}
}

// TestMemoryOfWorkUnderWayIsNoMeasure: memory comes back also where it was given back before while much of it was in use.
func TestMemoryOfWorkUnderWayIsNoMeasure(t *testing.T) {
	m := &Memory{}
	m.giveBack()
	block := written()
	m.giveBack() // in the middle of work: the block is alive
	during, _ := GoMemory()
	runtime.KeepAlive(block)
	block = nil
	m.giveBack()
	if after, _ := GoMemory(); after > during-32<<20 {
		t.Errorf("held %d, then %d without 64 MiB", during, after)
	}
}

// TestMemoryGoesBackAfterWork: once no work was under way for a while, and only if that brings something.
func TestMemoryGoesBackAfterWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var collected, spare atomic.Int64
		spare.Store(worthCollecting)
		m := &Memory{Collect: func() { collected.Add(1) }, Spare: spare.Load}
		g := &Gate{All: 2, Emptied: m.Rest}
		enter := func() func() {
			leave, err := g.Enter(t.Context(), ctxmcp.Caller{User: "ann"}, 1)
			if err != nil {
				t.Fatal(err)
			}
			return leave
		}
		one, two := enter(), enter()
		one()
		time.Sleep(2 * restAfter)
		if synctest.Wait(); collected.Load() != 0 {
			t.Errorf("%d collections while work is under way", collected.Load())
		}
		two()
		time.Sleep(restAfter / 2)
		enter()()
		time.Sleep(restAfter - 1)
		if synctest.Wait(); collected.Load() != 0 {
			t.Errorf("%d collections before the rest", collected.Load())
		}
		time.Sleep(time.Nanosecond)
		if synctest.Wait(); collected.Load() != 1 {
			t.Errorf("%d collections after the rest, want 1", collected.Load())
		}
		spare.Store(0)
		enter()()
		time.Sleep(2 * restAfter)
		if synctest.Wait(); collected.Load() != 1 {
			t.Errorf("%d collections, want none that brings nothing", collected.Load())
		}
	})
}
