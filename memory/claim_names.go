package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// SlotClaim is a claim that the subject of a new one has already.
type SlotClaim struct {
	ObjectID, Predicate, Value string
}

// mostClaims bounds the claims of one subject that are looked at, the newest, and mostShown those that are shown.
const (
	mostClaims = 100
	mostShown  = 10
)

// speakers are the subjects that stand for the one who speaks.
var speakers = []string{"i", "me", "myself", "self", "the user", "user"}

// subjects returns the names under which the subject of the plan's claim may be held: as it is given, with and without an article,
// the other names of its entity, and for the one who speaks all that they are called by.
func (p *plan) subjects() []string {
	given := ctxmcp.Normalize(p.object.Claim.Subject)
	all := []string{given, strings.TrimPrefix(given, "the "), "the " + strings.TrimPrefix(given, "the ")}
	own := append(slices.Clone(speakers), ctxmcp.Normalize(p.object.UserID))
	if p.object.Author != "" {
		own = append(own, ctxmcp.Normalize(p.object.Author))
	}
	if slices.Contains(own, given) {
		all = append(all, own...)
	}
	for _, name := range p.otherNames(entities.AsSubject) {
		all = append(all, ctxmcp.Normalize(name))
	}
	for _, d := range descriptors(p.object.Content, p.object.Claim.Subject) {
		all = append(all, d+" "+given)
	}
	slices.Sort(all)
	return slices.Compact(slices.DeleteFunc(all, func(s string) bool { return s == "" }))
}

// predicateHeads maps a predicate to the one that means the same, both as wordsOfPredicate has them.
var predicateHeads = sync.OnceValue(func() map[string]string {
	heads := map[string]string{}
	for _, r := range language.Predicates.Rows() {
		for _, w := range append([]string{r.Head}, r.Words...) {
			heads[wordsOfPredicate(w)] = wordsOfPredicate(r.Head)
		}
	}
	return heads
})

// canonicalPredicate returns a predicate as claims are compared by beside its exact form: favorite_color, favouriteColour and
// "favourite colours" are one, and so are words that mean one thing.
func canonicalPredicate(text string) string {
	key := wordsOfPredicate(text)
	return cmp.Or(predicateHeads()[key], key)
}

// wordsOfPredicate returns the words of a predicate as terms: camel case apart, British spelling as American, without words that say
// nothing.
func wordsOfPredicate(text string) string {
	var spaced strings.Builder
	lower := false
	for _, r := range text {
		if unicode.IsUpper(r) && lower {
			spaced.WriteRune(' ')
		}
		lower = unicode.IsLower(r)
		if r == '_' || r == '-' {
			r = ' '
		}
		spaced.WriteRune(r)
	}
	var words []string
	for _, w := range strings.Fields(strings.ToLower(spaced.String())) {
		w = strings.ReplaceAll(w, "colour", "color")
		w = strings.ReplaceAll(w, "favourite", "favorite")
		if !slices.Contains(idlePredicateWords, w) {
			words = append(words, cmp.Or(language.Term(w), w))
		}
	}
	if len(words) == 0 {
		return ctxmcp.Normalize(text)
	}
	return strings.Join(words, " ")
}

// idlePredicateWords say nothing in a predicate.
var idlePredicateWords = []string{"current", "currently", "has", "is", "my", "now", "the"}

// slotsHeld returns what is held of the subject of the plan's claim under any of its names, the newest first.
func (s *writer) slotsHeld(ctx context.Context, by ctxmcp.Caller, p *plan) ([]ctxmcp.ContextObject, error) {
	q := sameHome(by, p.object)
	q.Subjects, q.Newest, q.Limit = p.subjects(), true, mostClaims
	q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	held, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find the claims of a subject: %w", err)
	}
	return held, nil
}

// inOtherWords returns the claims among those held of the subject that are of the slot of the plan's claim under another name.
func (p *plan) inOtherWords(held, slot []ctxmcp.ContextObject) []ctxmcp.ContextObject {
	var found []ctxmcp.ContextObject
	predicate := canonicalPredicate(p.object.Claim.Predicate)
	for _, o := range held {
		known := slices.ContainsFunc(slot, func(k ctxmcp.ContextObject) bool { return ctxmcp.KeyOf(k) == ctxmcp.KeyOf(o) })
		if !known && canonicalPredicate(o.Claim.Predicate) == predicate {
			found = append(found, o)
		}
	}
	return found
}

// shown returns the claims of the subject but for those that the plan displaces or confirms, for the answer.
func (p *plan) shown(held []ctxmcp.ContextObject) []SlotClaim {
	var all []SlotClaim
	for _, o := range held {
		if len(all) < mostShown && !p.displaces(o.ObjectID) && o.ObjectID != p.object.ObjectID {
			all = append(all, SlotClaim{o.ObjectID, o.Claim.Predicate, o.Claim.Value})
		}
	}
	return all
}
