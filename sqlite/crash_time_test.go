package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// TestTimeQuestionsAfterPowerLoss: whenever the power fails, questions about now, about then and about the belief of
// then are answered as by a replay of the operations that were acknowledged, or of one more, which was on its way.
func TestTimeQuestionsAfterPowerLoss(t *testing.T) {
	events := record(t, "live", "FULL")
	answers := replayedAnswers(t)
	d, acked, cuts := newDisk(), 0, cutsOf(events, rounds.Of(20, 60), false)
	for i, e := range events {
		if err := d.happen(e); err != nil {
			t.Fatal(err)
		}
		if e.kind == acknowledged {
			acked++
		}
		if !cuts[i] {
			continue
		}
		got, err := recoveredAnswers(t.TempDir(), d.cut(rand.New(rand.NewPCG(*crashSeed, uint64(i)))))
		if err != nil {
			t.Fatalf("power cut after %d of %d events: %v", i+1, len(events), err)
		}
		next := min(acked+1, len(answers)-1)
		if got != answers[acked] && got != answers[next] {
			t.Fatalf("power cut after %d of %d events, %d operations acknowledged (-want +got):\n%s",
				i+1, len(events), acked, cmp.Diff(answers[acked], got))
		}
	}
	t.Logf("%d power cuts over %d operations (-crash.seed=%d -crash.every=%v)", len(cuts), len(answers)-1, *crashSeed, *crashEvery)
}

// lifeLength is how many operations a recorded life has.
const lifeLength = 80

// lifeStart is when it begins; each operation is a day later.
var lifeStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// life makes up operations on a memory.Service, the same in every process.
type life struct {
	rnd  *rand.Rand
	s    *memory.Service
	day  int
	ids  int
	made []string
}

func newLife(store memory.Store) *life {
	l := &life{rnd: rand.New(rand.NewPCG(*crashSeed, 11))}
	l.s = memory.New(memory.Core{
		Store: store, Logger: slog.New(slog.DiscardHandler), Redact: redact.Nothing,
		Now: func() time.Time { return lifeStart.AddDate(0, 0, l.day) },
		NewID: func() string {
			l.ids++
			return fmt.Sprintf("00000000-0000-4000-8000-%012d", l.ids)
		},
	})
	return l
}

var liver = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}

// step carries out one operation. A refusal is an operation too.
func (l *life) step(ctx context.Context) error {
	l.day++
	if len(l.made) > 3 && l.rnd.IntN(5) == 0 {
		id, mode := l.made[l.rnd.IntN(len(l.made))], memory.Modes()[l.rnd.IntN(2)]
		_, err := l.s.Forget(ctx, liver, id, mode, "no longer")
		return unlessRefused(err)
	}
	from := lifeStart.AddDate(0, 0, l.rnd.IntN(lifeLength))
	kinds := []ctxmcp.SourceKind{ctxmcp.UserStatement, ctxmcp.Document}
	value := fmt.Sprint("value", l.day)
	r, err := l.s.Remember(ctx, liver, memory.Draft{
		Content: "The tier is " + value, Claim: ctxmcp.Claim{Subject: fmt.Sprint("account", l.rnd.IntN(3)), Predicate: "tier", Value: value},
		Source: memory.Source{Kind: kinds[l.rnd.IntN(2)]}, ValidFrom: from, ValidUntil: from.AddDate(0, 0, 1+l.rnd.IntN(60)),
		Scope: ctxmcp.Scope{User: "ann"},
	})
	if err == nil {
		l.made = append(l.made, r.ObjectID)
	}
	return unlessRefused(err)
}

func unlessRefused(err error) error {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok && e.Code != ctxmcp.CodeInternal {
		return nil
	}
	return err
}

// liveRecorded is the child: it lives, and marks each operation as acknowledged.
func liveRecorded(dir, _ string) error {
	marks, err := os.OpenFile(os.Getenv(logVariable), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	s, err := openDirectory(dir)
	if err != nil {
		return err
	}
	l := newLife(s)
	for n := range lifeLength {
		if err := l.step(context.Background()); err != nil {
			return err
		}
		if err := mark(marks, acknowledged, fmt.Sprint(n)); err != nil {
			return err
		}
	}
	return errors.Join(s.Close(), marks.Close())
}

// replayedAnswers returns the answers after each operation, none at first, by the reference store.
func replayedAnswers(t *testing.T) []string {
	t.Helper()
	store := &inmem.Store{}
	l := newLife(store)
	answers := []string{timeAnswers(t.Context(), store)}
	for range lifeLength {
		if err := l.step(t.Context()); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, timeAnswers(t.Context(), store))
	}
	return answers
}

func recoveredAnswers(dir string, files map[string][]byte) (string, error) {
	for name, content := range files {
		if err := os.WriteFile(dir+"/"+name, content, 0o600); err != nil {
			return "", err
		}
	}
	s, err := openDirectory(dir)
	if err != nil {
		return "", err
	}
	return timeAnswers(context.Background(), s), errors.Join(intact(context.Background(), s), s.Close())
}

// timeAnswers asks for the truth at an instant, as believed at another, for a grid of both and for the belief of now.
func timeAnswers(ctx context.Context, s memory.Store) string {
	var b strings.Builder
	for believed := -10; believed <= lifeLength; believed += 15 {
		for valid := 0; valid <= lifeLength+60; valid += 14 {
			q := everything()
			q.AsOf, q.Statuses = lifeStart.AddDate(0, 0, valid), []ctxmcp.ContradictionStatus{ctxmcp.Clean}
			if believed >= 0 {
				q.BelievedAt = lifeStart.AddDate(0, 0, believed).Add(time.Hour)
			}
			found, err := s.Find(ctx, q)
			if err != nil {
				return err.Error()
			}
			fmt.Fprintf(&b, "true on day %d, as believed on day %d:", valid, believed)
			for _, o := range found {
				fmt.Fprintf(&b, " %s v%d", o.Claim.Value, o.Version)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
