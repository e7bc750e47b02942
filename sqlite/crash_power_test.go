package sqlite

import (
	"context"
	"errors"
	"fmt"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// logVariable names the log of a recorded life, synchronousVariable the setting that it is to run with.
const (
	logVariable         = "SHIM_LOG"
	synchronousVariable = "SQLITE_TEST_SYNCHRONOUS"
)

// TestPowerLoss cuts the power at recorded moments: whichever unsynced writes the disk kept, everything that was
// acknowledged is there.
func TestPowerLoss(t *testing.T) {
	events := record(t, "record", "FULL")
	for _, l := range replay(t, events, cutsOf(events, rounds.Of(60, 300), true)) {
		t.Error(l)
	}
}

// TestPowerLossWithoutSync proves that the replay can fail: with synchronous=NORMAL acknowledged writes are lost.
func TestPowerLossWithoutSync(t *testing.T) {
	events := record(t, "record", "NORMAL")
	lost := replay(t, events, cutsOf(events, rounds.Of(20, 100), false))
	if !slices.ContainsFunc(lost, func(l string) bool { return strings.Contains(l, "acknowledged writes are lost") }) {
		t.Error("no power cut lost a write with synchronous=NORMAL, so the replay proves nothing")
	}
}

// record runs the life of a role under the shim and returns the log of its events.
func record(t *testing.T, role, synchronous string) []event {
	t.Helper()
	if libraryName != "sqlite3" {
		t.Skip("SKIPPED: the recorder stands between the process and the C library, which " + Library + " does not use")
	}
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: power cuts are replayed on Linux only, by a preloaded library")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("SKIPPED: power cuts are replayed where there is a C compiler, cc, to build the recorder")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shim, log, data := filepath.Join(dir, "shim.so"), filepath.Join(dir, "log"), filepath.Join(dir, "data")
	build := exec.Command(cc, "-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-o", shim, "testdata/powerloss/shim.c", "-lpthread")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the recorder: %v\n%s", err, out)
	}
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, role, data, "", "LD_PRELOAD="+shim, "SHIM_DIR="+data, logVariable+"="+log,
		synchronousVariable+"="+synchronous).finish(t)
	events, err := readLog(log)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(events, func(e event) bool { return e.kind == synced }) {
		t.Fatal("no sync was recorded: is the test binary linked statically?")
	}
	return events
}

// recordedLife is the child that is recorded: eight callers write memories, close the store, open it again, write more, and
// erase some.
func recordedLife(dir, _ string) error {
	marks, err := os.OpenFile(os.Getenv(logVariable), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	for _, life := range []string{"a", "b"} {
		s, err := openDirectory(dir)
		if err != nil {
			return err
		}
		// The one connection that writes stays open, and so do its settings. Few writes are to see many checkpoints.
		if _, err := s.writes.Exec(`PRAGMA synchronous = ` + os.Getenv(synchronousVariable) + `; PRAGMA wal_autocheckpoint = 100`); err != nil {
			return err
		}
		errs := make([]error, 8)
		var wg sync.WaitGroup
		for caller := range errs {
			wg.Go(func() {
				errs[caller] = writeNotes(s, marks, fmt.Sprintf("%s%d", life, caller), life == "b" && caller == 0)
			})
		}
		wg.Wait()
		if err := errors.Join(append(errs, s.Close())...); err != nil {
			return err
		}
	}
	return marks.Close()
}

// writeNotes writes notes and marks each as acknowledged once it is. With alsoErase it erases a few.
func writeNotes(s *Store, marks *os.File, name string, alsoErase bool) error {
	ctx := context.Background()
	for n := range rounds.Of(5, 15) {
		id := fmt.Sprintf("%sn%d", name, n)
		if err := s.Apply(ctx, insert(note(id))); err != nil {
			return err
		}
		if err := mark(marks, acknowledged, id); err != nil {
			return err
		}
		if !alsoErase || n%5 != 4 {
			continue
		}
		if err := mark(marks, erasing, id); err != nil {
			return err
		}
		if err := s.Apply(ctx, erase(id)); err != nil {
			return err
		}
		if err := mark(marks, erased, id); err != nil {
			return err
		}
	}
	return nil
}
