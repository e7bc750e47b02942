package memory

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Mode says how thoroughly something is forgotten. The words are sent: append only.
type Mode string

// The modes.
const (
	Retire  Mode = "retire"      // no longer held; its history stays
	Archive Mode = "archive"     // held, and recalled only when asked for
	Erase   Mode = "hard_delete" // every version is erased from disk
)

// Modes lists the vocabulary.
func Modes() []Mode { return []Mode{Retire, Archive, Erase} }

// Forgotten is the answer to a request to forget.
type Forgotten struct {
	ObjectID  string
	Mode      Mode
	RetiredAt time.Time
}

// Forget ends an object. It returns CodeInvalid for a missing reason, CodeNotFound for an object that the caller cannot
// see, CodeDenied for one that stands above the caller, and CodeConflict for one that has ended (a hard delete still
// erases it) or that is archived already.
func (s *writer) Forget(ctx context.Context, by ctxmcp.Caller, id string, mode Mode, reason string) (Forgotten, error) {
	all, err := s.ForgetAll(ctx, by, []string{id}, mode, reason)
	if err != nil {
		return Forgotten{}, err
	}
	return all[0], nil
}

// ForgetAll ends objects, all of them or none. It returns the errors of Forget.
func (s *writer) ForgetAll(ctx context.Context, by ctxmcp.Caller, ids []string, mode Mode, reason string) ([]Forgotten, error) {
	if mode == "" {
		mode = Retire
	}
	if err := ctxmcp.CheckWord("mode", mode, Modes()); err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" || utf8.RuneCountInString(reason) > shortLimit {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "reason is empty or over %d characters", shortLimit).
			WithHint("say in a few words why this is forgotten: it is kept in the audit trail")
	}
	reason, _, err := s.Redact(ctx, by.Tenant, reason)
	if err != nil {
		return nil, err
	}
	var named []string
	for _, id := range ids {
		if id, err = s.fullID(ctx, by, id); err != nil {
			return nil, err
		}
		if !slices.Contains(named, id) {
			named = append(named, id)
		}
	}
	var all []Forgotten
	err = s.commit(ctx, func() (*Change, error) {
		all = nil
		var c Change
		for _, id := range named {
			one, at, err := s.planForget(ctx, by, id, mode, reason)
			if err != nil {
				return nil, err
			}
			c.with(one)
			all = append(all, Forgotten{ObjectID: id, Mode: mode, RetiredAt: at})
		}
		return &c, nil
	})
	return all, err
}

// with adds a change that forgets one more object. A question that both ask is asked once.
func (c *Change) with(one Change) {
	c.Close, c.Insert = append(c.Close, one.Close...), append(c.Insert, one.Insert...)
	c.Erase, c.Audit, c.Expect = append(c.Erase, one.Erase...), append(c.Audit, one.Audit...), append(c.Expect, one.Expect...)
	c.Use = append(c.Use, one.Use...)
	for _, r := range one.Ask {
		same := func(o Review) bool { return o.Kind == r.Kind && slices.Equal(o.Subjects, r.Subjects) }
		if !slices.ContainsFunc(c.Ask, same) {
			c.Ask = append(c.Ask, r)
		}
	}
}

func (s *writer) planForget(ctx context.Context, by ctxmcp.Caller, id string, mode Mode, reason string) (Change, time.Time, error) {
	var none Change
	versions, err := s.versions(ctx, by, id)
	if err != nil {
		return none, time.Time{}, err
	}
	open, at := openOf(versions), s.now()
	if mode != Erase && len(open) == 0 {
		e := s.ended(ctx, by, id, versions)
		return none, at, e.WithHint("%s; hard_delete erases its words from the history", e.Hint)
	}
	if mode == Archive && open[0].Archived {
		return none, at, ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s is archived already", id)
	}
	for _, v := range versions {
		if err := mayEnd(by, v); err != nil {
			return none, at, err
		}
	}
	at = later(at, versions)
	if mode == Erase {
		reason = withoutWords(reason, versions)
	}
	c := Change{Audit: []Event{{
		At: at, Tenant: by.Tenant, User: by.User, Action: "forget." + string(mode), ObjectID: id, Detail: reason,
	}}}
	if err := s.docket.askAboutConflicting(ctx, &c, open, at); err != nil {
		return none, at, err
	}
	if mode == Erase {
		c.Erase = []Erasure{{by.Tenant, id}}
		return c, at, nil
	}
	s.outcomes(by, &c, WasForgotten, at, id)
	for _, v := range open {
		c.Close = append(c.Close, Closing{by.Tenant, ctxmcp.KeyOf(v), at, ctxmcp.Closing{Status: v.ContradictionStatus, Reason: string(mode)}})
	}
	if mode == Archive {
		c.Insert, err = s.archived(ctx, by, open, at)
	}
	return c, at, err
}

// erasedWord stands in a reason for words of what was erased.
const erasedWord = "[erased]"

var (
	wordForm   = language.NewPattern(`\S+`)
	erasedForm = language.NewPattern(`\[erased\](?:\s+\[erased\])+`)
)

// withoutWords returns the reason of an erasure without the words that the erased versions have: it outlives them in the audit trail.
// Words that every text has stay, so that it can still be read.
func withoutWords(reason string, erased []ctxmcp.ContextObject) string {
	held := map[string]bool{}
	for _, o := range erased {
		for _, text := range []string{o.Content, o.Author, o.NormalizedClaim, o.WhyItMatters, o.BehavioralImplication, o.SourceOrigin, o.UpdatePath} {
			for _, term := range language.Terms(text) {
				held[term] = true
			}
		}
	}
	reason = wordForm.ReplaceAllStringFunc(reason, func(word string) string {
		if slices.ContainsFunc(strings.Fields(language.Term(word)), func(term string) bool { return held[term] }) {
			return erasedWord
		}
		return word
	})
	return erasedForm.ReplaceAllString(reason, erasedWord)
}

// archived returns the versions that take the place of the open ones of an object.
func (s *writer) archived(ctx context.Context, by ctxmcp.Caller, open []ctxmcp.ContextObject, at time.Time) ([]ctxmcp.ContextObject, error) {
	lineage, err := s.lineage(ctx, by, open)
	if err != nil {
		return nil, err
	}
	insert := slices.Clone(open)
	for i := range insert {
		insert[i].Archived, insert[i].TxStart = true, at
	}
	renumber(insert, lineage)
	return insert, nil
}
