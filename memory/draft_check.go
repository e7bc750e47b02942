package memory

import (
	"math"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
)

// Limits of a draft that no rule moves: a draft over them is an error, not a judgement of the gate.
const (
	hardLimit  = 1 << 20 // bytes of content
	shortLimit = 2_000   // characters of every other text
	listLimit  = 100     // entries of every list
)

// validate returns a CodeInvalid or CodeTooLarge Error for a draft that cannot be understood.
func (d *Draft) validate(now time.Time, skew time.Duration) error {
	checks := []func() error{
		d.checkTexts, d.checkWords, d.checkNumbers,
		func() error { return d.checkTimes(now, skew) },
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (d *Draft) checkTexts() error {
	if len(d.Content) > hardLimit {
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "content has %d bytes, over the limit of %d", len(d.Content), hardLimit).
			WithHint("remember what matters in it, in a few sentences")
	}
	if strings.TrimSpace(d.Content) == "" {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "content is empty").WithHint("say what to remember")
	}
	for i, t := range d.texts() {
		if !utf8.ValidString(*t.text) || strings.ContainsRune(*t.text, 0) {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is not text: it holds a NUL or bytes that are not UTF-8", t.name)
		}
		if i > 0 && utf8.RuneCountInString(*t.text) > shortLimit {
			return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "%s has over %d characters", t.name, shortLimit)
		}
	}
	if u, err := url.Parse(d.UpdatePath); d.UpdatePath != "" && (err != nil || u.Scheme == "") {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "update_path is not a URI").
			WithHint("say where the truth is kept, such as crm://contacts/42 or https://wiki/page")
	}
	if !d.Claim.IsZero() && (blank(d.Claim.Subject) || blank(d.Claim.Predicate) || blank(d.Claim.Value)) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "claim lacks a part").WithHint("give subject, predicate and value")
	}
	return nil
}

func blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsPunct(r) })
}

// namedText is a free text of a draft under the name of its argument.
type namedText struct {
	name string
	text *string
}

// texts lists every free text of the draft, the content first.
func (d *Draft) texts() []namedText {
	return []namedText{
		{"content", &d.Content}, {"author", &d.Author}, {"claim.subject", &d.Claim.Subject},
		{"claim.predicate", &d.Claim.Predicate}, {"claim.value", &d.Claim.Value}, {"why_it_matters", &d.WhyItMatters},
		{"behavioral_implication", &d.BehavioralImplication}, {"source.origin", &d.Source.Origin},
		{"update_path", &d.UpdatePath}, {"idempotency_key", &d.IdempotencyKey},
	}
}

func (d *Draft) checkWords() error {
	errs := []error{
		optional("object_type", d.ObjectType, ctxmcp.ObjectTypes()),
		optional("classification", d.Classification, ctxmcp.Classifications()),
		optional("source.kind", d.Source.Kind, ctxmcp.SourceKinds()),
		optional("retirement_rule", d.RetirementRule, ctxmcp.RetirementRules()),
		optional("level", d.Level, ctxmcp.Layers()),
	}
	for _, t := range d.TaskTypes {
		errs = append(errs, ctxmcp.CheckWord("task_types", t, ctxmcp.TaskTypes()))
	}
	return first(errs)
}

func optional[W ~string](name string, word W, list []W) error {
	if word == "" {
		return nil
	}
	return ctxmcp.CheckWord(name, word, list)
}

func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *Draft) checkNumbers() error {
	if c := d.Source.Confidence; c != nil && !(*c >= 0 && *c <= 1) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "source.confidence is not between 0 and 1")
	}
	if r := d.Decay; r != nil && !(r.HalfLifeDays > 0 && r.HalfLifeDays <= math.MaxFloat64 && r.MinimumThreshold >= 0 && r.MinimumThreshold <= 1) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "decay is out of range").
			WithHint("half_life_days is above 0; minimum_threshold is between 0 and 1")
	}
	if len(d.TaskTypes) > listLimit {
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "a list has over %d entries", listLimit)
	}
	lists := [][]string{d.Permissions.AllowRoles, d.Permissions.DenyRoles, d.DerivedFrom}
	for _, list := range lists {
		if len(list) > listLimit {
			return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "a list has over %d entries", listLimit)
		}
		for _, id := range list {
			if !ctxmcp.ValidID(id) {
				return ctxmcp.Errorf(ctxmcp.CodeInvalid, "a role or object id holds characters other than A-Z a-z 0-9 _ . -")
			}
		}
	}
	return nil
}

// farthest is the time ahead of now at which a fact may begin: beyond it a date is a slip of the pen.
const farthest = 100 * 365 * 24 * time.Hour

func (d *Draft) checkTimes(now time.Time, skew time.Duration) error {
	from, until := d.validFrom(now), ctxmcp.Instant(d.ValidUntil)
	for _, t := range []time.Time{d.ObservedAt, d.ValidFrom, d.ValidUntil} {
		if !ctxmcp.Representable(t) {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "a time lies outside the years 1 to 9999")
		}
	}
	switch {
	case d.ObservedAt.After(now.Add(skew)):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "observed_at is in the future").
			WithHint("observed_at is when it was said; for what will become true use valid_from")
	case d.ValidFrom.After(now.Add(farthest)):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "valid_from is over a hundred years ahead")
	case !until.IsZero() && !from.Before(until):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "valid_until is not after valid_from").
			WithHint("valid_from is %s; give an earlier one for what has ended", from.Format(time.RFC3339))
	}
	return nil
}
