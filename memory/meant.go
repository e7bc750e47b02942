package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// The bounds of what is put before somebody who describes what is to be forgotten.
const (
	mostMeant     = 10   // memories that a description finds
	mostOfAll     = 50   // where all are meant
	mostVersions  = 2000 // versions of these
	outdatedFloor = 0.01 // relevance of what one that is meant has probably taken the place of
)

// Meant finds the memories that the ask describes, for somebody who then chooses those to forget in a mode: first those that hold the very words, in
// any state and of any time, and then those of Recall. An ask for everything finds all that the mode can end, past ones too, the newest first; Held is
// their number. It returns the errors of Recall.
func (s *recaller) Meant(ctx context.Context, by ctxmcp.Caller, ask Ask, mode Mode) (Recalled, error) {
	if err := checkQuery(ask); err != nil { // a long one is not even read
		return Recalled{}, err
	}
	wanted := s.read(ask).Request
	if (wanted.Brief || wanted.Forget) && len(wanted.Topic) == 0 {
		return s.all(ctx, by, ask, mode)
	}
	if wanted.Brief { // everything of one topic is a question for the topic
		ask.Query = strings.Join(wanted.Topic, " ")
	}
	ask.Limit, ask.MinRelevance = mostMeant, new(outdatedFloor)
	r, err := s.Recall(ctx, by, ask)
	if err != nil {
		return r, err
	}
	floor := *s.options().MinRelevance
	meant := map[string]bool{}
	r.Memories = slices.DeleteFunc(r.Memories, func(m Memory) bool {
		meant[m.Object.ObjectID] = m.Relevance >= floor || meant[m.Object.MaybeOutdatedBy]
		return !meant[m.Object.ObjectID]
	})
	return r, s.withWords(ctx, by, ask, &r)
}

// all returns what is held in reach of the ask, in any state and of any time; to be erased, what was held before too.
func (s *recaller) all(ctx context.Context, by ctxmcp.Caller, ask Ask, mode Mode) (Recalled, error) {
	if err := s.checkAsk(&ask); err != nil {
		return Recalled{}, err
	}
	q, searched, err := s.recallQuery(by, ask)
	if err != nil {
		return Recalled{}, err
	}
	q.AsOf, q.Statuses = time.Time{}, nil
	q.EveryVersion, q.Archived = mode == Erase, mode == Erase
	r := Recalled{Namespace: searched, Counter: s.Counter.Name(), Memories: []Memory{}}
	if r.Held, err = s.Store.Count(ctx, q); err != nil {
		return Recalled{}, err
	}
	q.Newest, q.Limit = true, mostVersions
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return Recalled{}, fmt.Errorf("find all that is held: %w", err)
	}
	listed := map[string]bool{}
	for _, o := range found {
		if !q.Match(o) { // the store has been wrong: that is a fault, never a leak
			return Recalled{}, fmt.Errorf("store returned %s, which the query does not select", o.ObjectID)
		}
		if len(listed) == mostOfAll {
			break
		}
		if !listed[o.ObjectID] {
			listed[o.ObjectID] = true
			r.Memories = append(r.Memories, Memory{Object: o, Tokens: s.price(ask, o), Ended: !o.TxEnd.IsZero()})
		}
	}
	err = s.shownIn(ctx, by.Tenant, &r, ask)
	return r, err
}
