package console

import (
	"net/url"
	"strconv"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// question is one of the three questions of two time lines: a point of the plane, and the version that was held there.
type question struct {
	Number     int                   `json:"number"`
	Asks       string                `json:"asks"`
	AsOf       time.Time             `json:"as_of"`
	BelievedAt time.Time             `json:"believed_at"`
	Answer     *ctxmcp.ContextObject `json:"answer,omitempty"`
	Shown      []piece               `json:"shown,omitempty"` // the answer, for a script that shows it
	Short      string                `json:"short,omitempty"` // its id
	True, Held string                `json:"-"`               // both instants as their fields show them
}

// nowWord stands for the instant at which an address is opened.
const nowWord = "now"

// The fields of an address in which the points stand: the first without a number, as a caller of recall names them.
func (q question) AsOfName() string       { return pointName("as_of", q.Number) }
func (q question) BelievedAtName() string { return pointName("believed_at", q.Number) }

func pointName(field string, number int) string {
	if number == 1 {
		return field
	}
	return field + "_" + strconv.Itoa(number)
}

// questionsIn returns the three questions where an address puts their points. Without a place the first asks about now, the second about the
// beginning of the fact as it is known now, and the third about the beginning as it was known then.
func questionsIn(ask url.Values, versions []ctxmcp.ContextObject, now time.Time) ([]question, error) {
	began, known := now, now
	for _, o := range versions {
		if o.ValidFrom.Before(began) {
			began = o.ValidFrom
		}
		if o.TxStart.Before(known) {
			known = o.TxStart
		}
	}
	all := []question{{Number: 1, AsOf: now, BelievedAt: now}, {Number: 2, AsOf: began, BelievedAt: now}, {Number: 3, AsOf: began, BelievedAt: known}}
	for i := range all {
		q := &all[i]
		for name, at := range map[string]*time.Time{q.AsOfName(): &q.AsOf, q.BelievedAtName(): &q.BelievedAt} {
			switch ask.Get(name) {
			case "":
				continue
			case nowWord:
				*at = now
				continue
			}
			var err error
			if *at, err = instant(name, ask.Get(name)); err != nil {
				return nil, err
			}
		}
		q.Asks, q.Answer = asks(*q, now), heldAt(versions, q.AsOf, q.BelievedAt)
		if q.Answer != nil {
			q.Shown, q.Short = shown(q.Answer.Content), ctxmcp.ShortID(q.Answer.ObjectID)
		}
		q.True, q.Held = instantText(q.AsOf, now), instantText(q.BelievedAt, now)
	}
	return all, nil
}

// instantText writes an instant for an address or a field.
func instantText(t, now time.Time) string {
	if t.Equal(now) {
		return nowWord
	}
	return stamp(t)
}

// asks puts a question into words, by where its point stands.
func asks(q question, now time.Time) string {
	switch trueNow, heldNow := q.AsOf.Equal(now), q.BelievedAt.Equal(now); {
	case trueNow && heldNow:
		return "What is true now?"
	case heldNow:
		return "What was true then, as is known now?"
	case trueNow:
		return "What was held then to be true now?"
	default:
		return "What was held then to be true then?"
	}
}

// heldAt returns the version that was held at an instant to be true at another one, or nil.
func heldAt(versions []ctxmcp.ContextObject, asOf, believedAt time.Time) (found *ctxmcp.ContextObject) {
	for i, o := range versions {
		if o.Valid().Contains(asOf) && o.Tx().Contains(believedAt) {
			found = &versions[i]
		}
	}
	return found
}
