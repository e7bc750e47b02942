package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"

	"github.com/ctx-mcp/ctx-mcp"
)

// profileVariable is the twin of --profile.
const profileVariable = "CTX_MCP_PROFILE"

// profile records where a run spends its time and memory. The zero value records nothing.
type profile struct {
	dir string // it gets the files
	cpu *os.File
}

// The samples of waiting: one of so many contended locks, and one wait in so many nanoseconds of waiting.
const (
	lockShare = 20
	waitShare = 10_000
)

// begin begins to record, if a folder is named by the flag or its variable.
func (p *profile) begin(getenv func(string) string) (err error) {
	if p.dir == "" {
		p.dir = getenv(profileVariable)
	}
	if p.dir == "" {
		return nil
	}
	if err = os.MkdirAll(p.dir, 0o700); err == nil {
		p.cpu, err = os.Create(filepath.Join(p.dir, "cpu.pprof"))
	}
	if err == nil {
		err = pprof.StartCPUProfile(p.cpu)
	}
	if err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the profile cannot be written: %v", err).WithHint("name a folder that can be written with --profile")
	}
	runtime.SetMutexProfileFraction(lockShare)
	runtime.SetBlockProfileRate(waitShare)
	return nil
}

// end writes the four profiles: the time of the processors, the memory that is held, the waiting, and the waiting for locks.
func (p *profile) end() error {
	if p.cpu == nil {
		return nil
	}
	pprof.StopCPUProfile()
	err := p.cpu.Close()
	runtime.GC() // the heap as it is after work
	for _, name := range []string{"heap", "block", "mutex"} {
		err = errors.Join(err, p.write(name))
	}
	return err
}

func (p *profile) write(name string) error {
	f, err := os.Create(filepath.Join(p.dir, name+".pprof"))
	if err != nil {
		return fmt.Errorf("write the profile: %w", err)
	}
	return errors.Join(pprof.Lookup(name).WriteTo(f, 0), f.Close())
}
