package sqlite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

var crashWrites = flag.Int("crash.writes", rounds.Of(1_500, 10_000), "acknowledged writes of the test that kills writers")

// TestKilledWriters has two processes write to one directory, each killed again and again: everything acknowledged is there.
func TestKilledWriters(t *testing.T) {
	dir, want := t.TempDir(), *crashWrites
	w := &killed{t: t, dir: dir, want: want, promise: promise{map[string]bool{}, map[string]bool{}}}
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		wg.Go(func() { w.killInLoop(name) })
	}
	wg.Wait()
	t.Logf("%d writes and %d erasures acknowledged by %d processes that were killed, -crash.seed=%d",
		w.acknowledged, len(w.gone), w.kills, *crashSeed)
	if err := w.check(openStore(t, dir)); err != nil {
		t.Error(err)
	}
}

// killed collects the acknowledgements of two lines of processes.
type killed struct {
	t    *testing.T
	dir  string
	want int

	mu sync.Mutex
	promise
	acknowledged, kills int
}

// killInLoop starts one process after the other and kills each after so many acknowledgements, or at once.
func (w *killed) killInLoop(name string) {
	rnd := rand.New(rand.NewPCG(*crashSeed, uint64(name[0])))
	for life := 0; !w.enough(); life++ {
		c := start(w.t, "fill", w.dir, fmt.Sprintf("%s%d", name, life))
		w.listen(c, rnd.IntN(4)*rnd.IntN(400))
		_ = c.Wait() // killed
		if c.said.Len() > 0 {
			w.t.Errorf("child %s%d complains: %s", name, life, &c.said)
			return
		}
	}
}

// listen kills the child after so many lines, and reads on: the lines that it wrote before it died count.
func (w *killed) listen(c *child, lines int) {
	for said := 0; c.lines.Scan(); said++ {
		if said == lines {
			_ = c.Process.Kill()
		}
		w.hear(c.lines.Text())
	}
	w.mu.Lock()
	w.kills++
	w.mu.Unlock()
}

// hear takes down a line: the kind of an event and an id.
func (w *killed) hear(line string) {
	k, id, _ := strings.Cut(line, " ")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.happen(event{kind: kind(k[0]), name: id})
	if kind(k[0]) == acknowledged {
		w.acknowledged++
	}
}

func (w *killed) enough() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.t.Failed() || w.acknowledged >= w.want
}

// fill is a child that writes notes until it dies, says of each that it is acknowledged, and reads some back.
func fill(dir, name string) error {
	say(opened, "")
	s, err := openDirectory(dir)
	if err != nil {
		return err
	}
	errs := make(chan error)
	for caller := range 8 {
		go func() { errs <- fillOne(s, fmt.Sprintf("%sc%d", name, caller), caller == 0) }()
	}
	return errors.Join(<-errs, errors.New("a caller ended"))
}

func fillOne(s *Store, name string, alsoErase bool) error {
	ctx := context.Background()
	for n := 0; ; n++ {
		id := fmt.Sprintf("%sn%d", name, n)
		if err := s.Apply(ctx, insert(note(id))); err != nil {
			return err
		}
		say(acknowledged, id)
		if n%16 == 0 {
			if err := seen(ctx, s, id); err != nil {
				return err
			}
		}
		if alsoErase && n%32 == 31 {
			say(erasing, id)
			if err := s.Apply(ctx, erase(id)); err != nil {
				return err
			}
			say(erased, id)
		}
	}
}

// say prints an event in one write, so that no line is torn by another.
func say(k kind, id string) { fmt.Printf("%c %s\n", k, id) }

// seen returns an error unless Find and Search both find the note.
func seen(ctx context.Context, s *Store, id string) error {
	q := everything()
	q.ObjectIDs = []string{id}
	found, err := s.Find(ctx, q)
	if err != nil {
		return err
	}
	if len(found) != 1 || found[0].Content != note(id).Content {
		return fmt.Errorf("Find(%s) = %v", id, found)
	}
	hits, err := search(ctx, s, id)
	if err == nil && !hits[id] {
		err = fmt.Errorf("Search(%s) = %v", id, hits)
	}
	return err
}
