package sqlite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

var crashEvery = flag.Bool("crash.every", false, "replay the power cut after every single event")

// logVariable names the log of a recorded life, synchronousVariable the setting that it is to run with.
const (
	logVariable         = "SHIM_LOG"
	synchronousVariable = "SQLITE_TEST_SYNCHRONOUS"
)

// TestPowerLoss cuts the power at recorded moments: whatever the disk kept of what was not synced, everything that was
// acknowledged is there.
func TestPowerLoss(t *testing.T) {
	lost := replayCuts(t, record(t, "FULL"))
	for _, l := range lost {
		t.Error(l)
	}
}

// TestPowerLossWithoutSync proves that the replay can fail: with synchronous=NORMAL acknowledged writes are lost.
func TestPowerLossWithoutSync(t *testing.T) {
	if lost := replayCuts(t, record(t, "NORMAL")); len(lost) == 0 {
		t.Error("no power cut lost a write with synchronous=NORMAL, so the replay proves nothing")
	}
}

// record runs a life under the shim and returns the log of its events.
func record(t *testing.T, synchronous string) []event {
	t.Helper()
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
	start(t, "record", data, "", "LD_PRELOAD="+shim, "SHIM_DIR="+data, logVariable+"="+log,
		synchronousVariable+"="+synchronous).finish(t)
	events, err := readLog(log)
	if err != nil {
		t.Fatal(err)
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
		// The one connection that writes is kept open, so that the setting stays.
		if _, err := s.writes.Exec(`PRAGMA synchronous = ` + os.Getenv(synchronousVariable)); err != nil {
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

// writeNotes writes notes and marks each as acknowledged once it is. Where asked it erases a few.
func writeNotes(s *Store, marks *os.File, name string, alsoErase bool) error {
	ctx := context.Background()
	for n := range 25 {
		id := fmt.Sprintf("%sn%d", name, n)
		if err := s.Apply(ctx, insert(note(id))); err != nil {
			return err
		}
		if err := mark(marks, acknowledged, id); err != nil {
			return err
		}
		if !alsoErase || n%10 != 9 {
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

// replayCuts cuts the power after the events of the log and returns, for each cut that lost or damaged something, what.
func replayCuts(t *testing.T, events []event) []string {
	t.Helper()
	cuts := cutsOf(events)
	began := time.Now()
	type job struct {
		cut   int
		files map[string][]byte
		due   promise
	}
	jobs := make(chan job)
	var mu sync.Mutex
	var lost []string
	var wg sync.WaitGroup
	base := t.TempDir()
	for range runtime.NumCPU() {
		wg.Go(func() {
			for j := range jobs {
				if err := recoverFrom(filepath.Join(base, fmt.Sprint(j.cut)), j.files, j.due); err != nil {
					mu.Lock()
					lost = append(lost, fmt.Sprintf("power cut after event %d of %d: %v", j.cut, len(events), err))
					mu.Unlock()
				}
			}
		})
	}
	d, due := newDisk(), promise{map[string]bool{}, map[string]bool{}}
	for i, e := range events {
		if err := d.happen(e); err != nil {
			t.Error(err)
			break
		}
		due.happen(e)
		if cuts[i] {
			rnd := rand.New(rand.NewPCG(*crashSeed, uint64(i)))
			jobs <- job{i, d.cut(rnd), promise{maps.Clone(due.there), maps.Clone(due.gone)}}
		}
	}
	close(jobs)
	wg.Wait()
	t.Logf("%d of %d events replayed as power cuts in %v with -crash.seed=%d: %d cuts lost something; %d writes were acknowledged",
		len(cuts), len(events), time.Since(began).Round(time.Millisecond), *crashSeed, len(lost), len(due.there))
	if len(due.there) == 0 {
		t.Fatal("nothing was recorded: is the test binary linked statically?")
	}
	slices.Sort(lost)
	return lost
}

// cutsOf returns after which events the power is cut: all, or three hundred evenly, and around every sync and every
// acknowledgement.
func cutsOf(events []event) map[int]bool {
	cuts := map[int]bool{}
	for i, e := range events {
		around := e.kind == synced || e.kind == acknowledged || e.kind == erased
		if *crashEvery || around || i%max(1, len(events)/300) == 0 {
			cuts[i] = true
		}
		if around && i > 0 {
			cuts[i-1] = true
		}
	}
	return cuts
}

// promise is what the store has acknowledged: ids that are there and ids that are gone.
type promise struct{ there, gone map[string]bool }

func (p promise) happen(e event) {
	switch e.kind {
	case acknowledged:
		p.there[e.name] = true
	case erasing:
		delete(p.there, e.name)
	case erased:
		p.gone[e.name] = true
	}
}

// recoverFrom opens the store on what a disk held and returns what is wrong with it.
func recoverFrom(dir string, files map[string][]byte, due promise) error {
	defer os.RemoveAll(dir)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	s, err := openDirectory(dir)
	if err != nil {
		return err
	}
	return errors.Join(due.kept(s), s.Close())
}

// kept returns how the store breaks the promise.
func (p promise) kept(s *Store) error {
	ctx := context.Background()
	if err := intact(ctx, s); err != nil {
		return err
	}
	there, err := held(ctx, s)
	if err != nil {
		return err
	}
	if lost := missing(there, slices.Sorted(maps.Keys(p.there))); len(lost) > 0 {
		return fmt.Errorf("%d acknowledged writes are lost: %v", len(lost), lost)
	}
	if back := len(p.gone) - len(missing(there, slices.Sorted(maps.Keys(p.gone)))); back > 0 {
		return fmt.Errorf("%d erased memories are back", back)
	}
	return nil
}
