package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

const racers = 32

// race runs the function on many goroutines at once.
func race(run func(i int)) {
	var ready, done sync.WaitGroup
	begin := make(chan struct{})
	for i := range racers {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-begin
			run(i)
		})
	}
	ready.Wait()
	close(begin)
	done.Wait()
}

// ticking returns a clock that moves a microsecond whenever it is read.
func ticking() func() time.Time {
	var reads atomic.Int64
	return func() time.Time { return start.Add(time.Duration(reads.Add(1)) * time.Microsecond) }
}

// TestManyValuesForOneSlotAtOnce: every writer succeeds, the last one holds, and no value is lost on the way.
func TestManyValuesForOneSlotAtOnce(t *testing.T) {
	for name, now := range map[string]func() time.Time{
		"clock stands": func() time.Time { return start }, "clock ticks": ticking(),
	} {
		t.Run(name, func(t *testing.T) {
			overStores(t, func(t *testing.T, store memory.Store) {
				s, _ := newService(store)
				s.Now = now
				answers := make([]memory.Remembered, racers)
				race(func(i int) {
					var err error
					value := fmt.Sprintf("value%d", i)
					answers[i], err = s.Remember(t.Context(), ann, said("The dial shows "+value, "dial", "shows", value))
					if err != nil {
						t.Errorf("writer %d: %v", i, err)
					}
				})
				checkLine(t, s, answers)
			})
		})
	}
}

// checkLine checks the line of versions that the answers are about: one value holds now, one held at every instant of
// the past, and each is in the history under a number of its own.
func checkLine(t *testing.T, s *memory.Service, answers []memory.Remembered) {
	t.Helper()
	line, err := s.History(t.Context(), ann, memory.HistoryAsk{FactID: answers[0].FactID})
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	contents := map[string]bool{}
	for _, o := range line {
		numbers = append(numbers, o.Version)
		contents[o.Content] = true
		q := memory.Query{
			Tenant: "acme", Everywhere: true, Unrestricted: true, Slots: []string{o.Claim.Slot()}, BelievedAt: o.TxStart, AsOf: o.ValidFrom,
		}
		if held := find(t, s.Store, q); len(held) != 1 {
			t.Errorf("%d values held at %v, want 1: %v", len(held), o.TxStart, held)
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != i+1 {
			t.Fatalf("the versions are numbered %v", numbers)
		}
	}
	for i := range answers {
		if want := fmt.Sprintf("The dial shows value%d", i); !contents[want] {
			t.Errorf("history lacks %q", want)
		}
	}
	r, err := s.Recall(t.Context(), ann, memory.Ask{Query: "what does the dial show", Limit: 100, Scope: atHome})
	if err != nil || len(r.Memories) != 1 {
		t.Errorf("Recall = %d memories, %v, want the last value alone", len(r.Memories), err)
	}
}

// TestOneKeyAtOnce: a request that many send under one key is carried out once, and all get its answer.
func TestOneKeyAtOnce(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, _ := newService(store)
		answers := make([]memory.Remembered, racers)
		race(func(i int) {
			d := said("The dial shows red", "dial", "shows", "red")
			d.IdempotencyKey = "k"
			var err error
			if answers[i], err = s.Remember(t.Context(), ann, d); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
		for i := range answers {
			if diff := cmp.Diff(answers[0], answers[i]); diff != "" {
				t.Errorf("answer %d differs from the first (-want +got):\n%s", i, diff)
			}
		}
		if all := find(t, store, every("acme")); len(all) != 1 {
			t.Errorf("%d versions are stored, want 1", len(all))
		}
	})
}

// TestOneTextAtOnce: the same words said by many at once are one memory.
func TestOneTextAtOnce(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, _ := newService(store)
		var stored atomic.Int64
		race(func(i int) {
			r, err := s.Remember(t.Context(), ann, memory.Draft{
				Content: "The dial is red", Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome,
			})
			if err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
			if r.Status == memory.Stored {
				stored.Add(1)
			}
		})
		if all := find(t, store, every("acme")); len(all) != 1 || stored.Load() != 1 {
			t.Errorf("%d versions are stored for %d writers, want 1 for 1", len(all), stored.Load())
		}
	})
}

// TestForgottenOnce: of many who forget one object, one succeeds, and the others hear that it has ended.
func TestForgottenOnce(t *testing.T) {
	for _, mode := range memory.Modes() {
		t.Run(string(mode), func(t *testing.T) {
			overStores(t, func(t *testing.T, store memory.Store) {
				s, _ := newService(store)
				id := remember(t, s, ann, said("The dial shows red", "dial", "shows", "red")).ObjectID
				var done atomic.Int64
				race(func(i int) {
					_, err := s.Forget(t.Context(), ann, id, mode, "no longer")
					switch code := ctxmcp.CodeOf(err); {
					case err == nil:
						done.Add(1)
					case code != ctxmcp.CodeConflict && code != ctxmcp.CodeNotFound:
						t.Errorf("writer %d: %v", i, err)
					}
				})
				if done.Load() != 1 {
					t.Errorf("%d of %d forgot it, want 1", done.Load(), racers)
				}
			})
		})
	}
}

// TestSupersededAndForgottenAtOnce: whatever the order, nothing holds twice and nothing that ended comes back.
func TestSupersededAndForgottenAtOnce(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, _ := newService(store)
		s.Now = ticking()
		first := remember(t, s, ann, said("The dial shows red", "dial", "shows", "red"))
		race(func(i int) {
			d := said(fmt.Sprintf("The dial shows value%d", i), "dial", "shows", fmt.Sprintf("value%d", i))
			var err error
			switch i % 4 {
			case 0:
				_, err = s.Forget(t.Context(), ann, first.ObjectID, memory.Retire, "wrong")
			case 1:
				d.Supersedes = first.ObjectID
				_, err = s.Remember(t.Context(), ann, d)
			default:
				_, err = s.Remember(t.Context(), ann, d)
			}
			if err != nil && !strings.Contains(err.Error(), "has ended") && !strings.Contains(err.Error(), "has been replaced") {
				t.Errorf("writer %d: %v", i, err)
			}
		})
		open := memory.Query{Tenant: "acme", Everywhere: true, Unrestricted: true, AsOf: s.Now()}
		if held := find(t, store, open); len(held) > 1 {
			t.Errorf("%d values hold now, want at most 1", len(held))
		}
	})
}
