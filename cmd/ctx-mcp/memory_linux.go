package main

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/ctx-mcp/ctx-mcp/serve/admission"
)

// resourceLimits returns the limits on the mappings of the process, where there are any. Memory that the runtime has mapped
// and could use again does not count as used.
func resourceLimits() (limits []admission.Gauge) {
	for _, r := range []struct {
		name     string
		resource int
		line     string // of /proc/self/status
	}{
		{"RLIMIT_DATA", syscall.RLIMIT_DATA, "VmData:"},
		{"RLIMIT_AS", syscall.RLIMIT_AS, "VmSize:"},
	} {
		var is syscall.Rlimit
		if syscall.Getrlimit(r.resource, &is) != nil || is.Cur > math.MaxInt64 {
			continue
		}
		limits = append(limits, admission.Gauge{Name: r.name, Limit: int64(is.Cur), Used: func() int64 {
			_, spare := admission.GoMemory()
			return mapped(r.line) - spare
		}})
	}
	return limits
}

// mapped returns a figure of /proc/self/status in bytes, 0 where it cannot be read.
func mapped(line string) int64 {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == line {
			kilobytes, _ := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
