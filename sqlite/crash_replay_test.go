package sqlite

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

var crashEvery = flag.Bool("crash.every", false, "cut the power after every single event")

// cutsOf returns the events after which the power is cut: so many evenly and, if asked, around every sync and at the last of
// acknowledgements in a row. With -crash.every it is every event.
func cutsOf(events []event, evenly int, boundaries bool) map[int]bool {
	cuts := map[int]bool{}
	for i, e := range events {
		if *crashEvery || i%max(1, len(events)/evenly) == 0 {
			cuts[i] = true
		}
		if boundaries && e.kind == synced {
			cuts[max(0, i-1)], cuts[i] = true, true
		}
		if boundaries && i > 0 && events[i-1].kind == acknowledged && e.kind != acknowledged {
			cuts[i-1] = true
		}
	}
	return cuts
}

// cut is a moment without power: the content of the disk, and the promises made by then.
type cut struct {
	after    int // events
	files    map[string][]byte
	promised promise
}

// replay cuts the power after the events and returns, for each cut that lost or damaged something, what.
func replay(t *testing.T, events []event, after map[int]bool) []string {
	t.Helper()
	began, base := time.Now(), t.TempDir()
	cuts := make(chan cut)
	var mu sync.Mutex
	var lost []string
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for c := range cuts {
				if err := c.recover(filepath.Join(base, fmt.Sprint(c.after))); err != nil {
					mu.Lock()
					lost = append(lost, fmt.Sprintf("power cut after %d of %d events: %v", c.after, len(events), err))
					mu.Unlock()
				}
			}
		})
	}
	d, p := newDisk(), promise{map[string]bool{}, map[string]bool{}}
	for i, e := range events {
		if err := d.happen(e); err != nil {
			t.Error(err)
			break
		}
		p.happen(e)
		if after[i] {
			cuts <- cut{i + 1, d.cut(rand.New(rand.NewPCG(*crashSeed, uint64(i)))), promise{maps.Clone(p.there), maps.Clone(p.gone)}}
		}
	}
	close(cuts)
	wg.Wait()
	t.Logf("%d power cuts over %d events in %v: %d lost something (-crash.seed=%d -crash.every=%v)",
		len(after), len(events), time.Since(began).Round(time.Millisecond), len(lost), *crashSeed, *crashEvery)
	return lost
}

// recover opens the store on the content of the disk and returns what is wrong with it.
func (c cut) recover(dir string) error {
	defer os.RemoveAll(dir)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for name, content := range c.files {
		for id := range c.promised.gone {
			if bytes.Contains(content, []byte(shared+" "+id)) {
				return fmt.Errorf("%s holds %s, which was erased", name, id)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	s, err := openDirectory(dir)
	if err != nil {
		return err
	}
	return errors.Join(c.promised.check(s), s.Close())
}

// promise is the acknowledged state of the store: ids that are there and ids that are gone.
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

// check returns how the store breaks the promise.
func (p promise) check(s *Store) error {
	ctx := context.Background()
	if err := intact(ctx, s); err != nil {
		return err
	}
	there, err := held(ctx, s)
	if err != nil {
		return err
	}
	if lost := missing(there, slices.Collect(maps.Keys(p.there))); len(lost) > 0 {
		return fmt.Errorf("%d acknowledged writes are lost, %s among them", len(lost), lost[0])
	}
	if gone := missing(there, slices.Collect(maps.Keys(p.gone))); len(gone) < len(p.gone) {
		return fmt.Errorf("%d erased memories are back", len(p.gone)-len(gone))
	}
	return nil
}
