package main

import (
	"log/slog"
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/serve/admission"
)

// The shares of a limit that Go's runtime may use. The rest is for SQLite, for the stacks of threads, and for memory that is
// free in pieces too small to be used.
const (
	shareOfMachine  = 0.8 // of a cgroup, the machine, or limits.memory
	shareOfResource = 0.7 // of a resource limit, which counts all that is mapped, whether or not it is used
)

// leastMemory is the least that the runtime is told to keep to: below that it would do nothing but collect garbage.
const leastMemory = 64 << 20

// watchMemory sets the soft memory limit of the process, from the setting, its cgroup, its resource limits and the machine,
// the least of them, and returns the watch on it with the limit. A limit that the operator gave Go, with GOMEMLIMIT, stays.
func watchMemory(c *config.Config, getenv func(string) string, logger *slog.Logger) (*admission.Memory, int64) {
	resources := resourceLimits()
	soft := debug.SetMemoryLimit(-1)
	if getenv("GOMEMLIMIT") == "" {
		soft = max(softLimit(c, resources), leastMemory)
		debug.SetMemoryLimit(soft)
	}
	logger.Debug("memory limit", "bytes", soft)
	held := func() int64 { held, _ := admission.GoMemory(); return held }
	return &admission.Memory{Logger: logger, Gauges: append(resources, admission.Gauge{Name: "the memory limit", Limit: soft, Used: held})}, soft
}

// softLimit returns the least of the limits, in the share of it that is the runtime's.
func softLimit(c *config.Config, resources []admission.Gauge) int64 {
	soft := int64(math.MaxInt64)
	for _, g := range resources {
		soft = min(soft, int64(shareOfResource*float64(g.Limit-g.Used())))
	}
	if c.Memory > 0 {
		return min(soft, int64(shareOfMachine*float64(c.Memory)))
	}
	for _, limit := range []memlimit.Provider{memlimit.FromCgroup, memlimit.FromSystem} {
		if bytes, err := limit(); err == nil && bytes < math.MaxInt64 {
			soft = min(soft, int64(shareOfMachine*float64(bytes)))
		}
	}
	return soft
}
