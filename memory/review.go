package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
)

// reviewRules are the functions that ask and decide one kind of review.
type reviewRules struct {
	doc string
	// item returns the question, or nil where nothing is left to decide or the caller may not see all of it.
	item func(s *reviewer, ctx context.Context, by ctxmcp.Caller, r Review) (*ReviewItem, error)
	// settle returns the change of a decision, one of the item's, and its effect in words.
	settle func(s *reviewer, ctx context.Context, by ctxmcp.Caller, r Review, item *ReviewItem, decision string) (Change, string, error)
}

var reviewKinds = map[ReviewKind]reviewRules{
	ConflictReview:     {"claims that authority, time and trust do not tell apart", (*reviewer).conflictItem, (*reviewer).settleConflict},
	EntityReview:       {"a name that may be of an entity that is known", (*reviewer).entityItem, (*reviewer).settleEntity},
	ConfirmationReview: {"an object at the end of its life that is to be confirmed", (*reviewer).confirmationItem, (*reviewer).settleConfirmation},
	ChangeReview:       {"statements of one author that hardly hold both", (*reviewer).changeItem, (*reviewer).settleChange},
}

// Reviews returns the questions that wait for the caller's decision, the oldest first, at most limit (20 if it is 0). It returns
// CodeInvalid for a limit out of range.
func (s *reviewer) Reviews(ctx context.Context, by ctxmcp.Caller, limit int) ([]ReviewItem, error) {
	if limit < 0 || limit > maxLimit {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "limit is not between 1 and %d", maxLimit)
	}
	limit = cmp.Or(limit, 20)
	reviews, err := s.Store.Reviews(ctx, reviewsOf(by))
	if err != nil {
		return nil, fmt.Errorf("find reviews: %w", err)
	}
	items := []ReviewItem{}
	for _, r := range reviews {
		item, err := s.item(ctx, by, r)
		if err != nil {
			return nil, err
		}
		if item != nil {
			items = append(items, *item)
		}
		if len(items) == limit {
			break
		}
	}
	shown := make([]*ReviewItem, len(items))
	for i := range items {
		shown[i] = &items[i]
	}
	return items, s.shownItems(ctx, by.Tenant, shown...)
}

func (s *reviewer) item(ctx context.Context, by ctxmcp.Caller, r Review) (*ReviewItem, error) {
	rules, known := reviewKinds[r.Kind]
	if !known {
		return nil, nil // of a newer version
	}
	item, err := rules.item(s, ctx, by, r)
	if err != nil {
		return nil, fmt.Errorf("review %s: %w", r.ID, err)
	}
	if item == nil || slices.ContainsFunc(item.Candidates, func(c ReviewCandidate) bool { return !settles(by, c.Object) }) {
		return nil, nil
	}
	return item, nil
}

// Review returns one item, for asking about it in place. It returns CodeNotFound as Settle does.
func (s *reviewer) Review(ctx context.Context, by ctxmcp.Caller, id string) (ReviewItem, error) {
	_, item, err := s.findReview(ctx, by, id)
	if err != nil {
		return ReviewItem{}, err
	}
	err = s.shownItems(ctx, by.Tenant, item)
	return *item, err
}

// Settle carries out a decision on a review. It returns CodeNotFound for a review that is not open or that the caller
// cannot see, CodeInvalid for a decision that the review does not offer, and CodeDenied for a caller that cannot decide
// for a user, or not on objects of this authority.
func (s *reviewer) Settle(ctx context.Context, by ctxmcp.Caller, id, decision string) (Settled, error) {
	return s.SettleFor(ctx, by, id, decision, "")
}

// SettleFor carries out a decision and keeps its reason in the audit trail, without secrets, for as long as what was decided on. It returns
// CodeInvalid for a reason that is too long, and the errors of Settle.
func (s *reviewer) SettleFor(ctx context.Context, by ctxmcp.Caller, id, decision, reason string) (Settled, error) {
	if by.Authority > ctxmcp.AuthorityUser {
		return Settled{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "a review is for the user to decide").
			WithHint("ask the user to decide it with ctx-mcp review")
	}
	noted, err := s.noted(ctx, by, decision, reason)
	if err != nil {
		return Settled{}, err
	}
	var done Settled
	err = s.commit(ctx, func() (*Change, error) {
		r, item, err := s.findReview(ctx, by, id)
		if err != nil {
			return nil, err
		}
		if decision = meantAmong(item.Decisions, decision); !slices.Contains(item.Decisions, decision) {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%q is not a decision on this review", ctxmcp.Clip(decision, 40)).
				WithHint("decide one of: %s", strings.Join(item.Decisions, ", "))
		}
		done = Settled{ID: r.ID, Decision: decision}
		c, effect, err := reviewKinds[r.Kind].settle(s, ctx, by, r, item, decision)
		if err != nil {
			return nil, err
		}
		done.Effect = effect
		about := slices.Clone(r.Subjects)
		for _, side := range item.Candidates { // an erasure of what was decided on takes the reason with it
			if id := side.Object.ObjectID; noted != decision && id != "" && !slices.Contains(about, id) {
				about = append(about, id)
			}
		}
		at := s.now()
		c.Settle = append(c.Settle, Settlement{r.Tenant, r.ID, at, decision})
		c.Audit = append(c.Audit, Event{At: at, Tenant: by.Tenant, User: by.User, Action: "review." + string(r.Kind),
			ObjectID: strings.Join(about, " "), Detail: noted})
		return &c, nil
	})
	if err != nil {
		return Settled{}, err
	}
	return done, nil
}

// noted returns a decision with its reason as the audit trail has them: a store that erases cuts at the first colon with a space.
func (s *reviewer) noted(ctx context.Context, by ctxmcp.Caller, decision, reason string) (string, error) {
	if reason = strings.TrimSpace(reason); reason == "" {
		return decision, nil
	}
	if utf8.RuneCountInString(reason) > shortLimit {
		return "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "reason has over %d characters", shortLimit).WithHint("say it in a sentence")
	}
	clean, _, err := s.Redact(ctx, by.Tenant, reason)
	return decision + ": " + clean, err
}

func (s *reviewer) findReview(ctx context.Context, by ctxmcp.Caller, id string) (Review, *ReviewItem, error) {
	none := ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no such open review").WithHint("review lists what is open")
	if id == "" {
		return Review{}, nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "id is missing").WithHint("review lists what is open")
	}
	q := reviewsOf(by)
	if len(id) >= wholeID {
		q.IDs = []string{id}
	}
	found, err := s.Store.Reviews(ctx, q)
	if err != nil {
		return Review{}, nil, fmt.Errorf("find review: %w", err)
	}
	ids := make([]string, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	at := slices.Index(ids, meantAmong(ids, id))
	if at < 0 {
		return Review{}, nil, none
	}
	item, err := s.item(ctx, by, found[at])
	if err == nil && item == nil {
		err = none
	}
	return found[at], item, err
}
