package gateway

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Book is what is kept of servers, for a person to look at. A gateway that runs meanwhile notices what is approved.
type Book struct {
	catalogue *Catalogue
	pins      *Pins
	ids       []string // sorted
}

// OpenBook returns the book of a directory.
func OpenBook(dir string, now func() time.Time) (*Book, error) {
	b := &Book{catalogue: &Catalogue{Dir: filepath.Join(dir, "catalogue")}, pins: &Pins{Dir: dir, Now: now}}
	files, err := os.ReadDir(b.catalogue.Dir)
	if err != nil && !missing(err) {
		return nil, err
	}
	for _, f := range files {
		if id, ok := strings.CutSuffix(f.Name(), ".json"); ok {
			b.ids = append(b.ids, id)
		}
	}
	return b, nil
}

// Status says what is known of one server.
type Status struct {
	Server                              string
	ID                                  string // under which its sign-ins are kept
	Tools, HeldBack, Prompts, Resources int
	Prefixed                            []string  // tools that could not keep their own names
	Seen                                time.Time // it answered; zero: never
	Error                               string    // of the last try; "" where it answered
}

// Status returns the servers, sorted by name. One whose command or address was changed stands there once for each.
func (b *Book) Status(ctx context.Context) (all []Status, err error) {
	for _, id := range b.ids {
		o := b.catalogue.load(id)
		held, err := b.heldBack(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, Status{
			Server: o.Server, ID: id, Tools: len(o.Tools), HeldBack: len(held), Prompts: len(o.Prompts), Resources: len(o.Resources) + len(o.Templates),
			Prefixed: o.Prefixed, Seen: o.Seen, Error: o.Error,
		})
	}
	return all, nil
}

func (b *Book) heldBack(ctx context.Context, id string) ([]Quarantined, error) {
	pins, _, err := b.pins.of(id)
	if err != nil {
		return nil, err
	}
	o := b.catalogue.load(id)
	held, err := quarantine(ctx, o.Server, o, pins)
	for i := range held {
		held[i].id = id
	}
	return held, err
}

// HeldBack returns the tools that are not offered because they are new, have changed or hold instructions, sorted.
func (b *Book) HeldBack(ctx context.Context) (all []Quarantined, err error) {
	var every []origin
	for _, id := range b.ids {
		o := b.catalogue.load(id)
		for _, of := range origins(o.Server, o.Tools) {
			if !slices.Contains(every, of) {
				every = append(every, of)
			}
		}
	}
	as, _ := names(every, nil) // the name of the server stands before each, whatever clients see: a clash does not change it
	for _, id := range b.ids {
		held, err := b.heldBack(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, q := range held {
			q.Name = as[origin{q.Server, q.Tool}]
			all = append(all, q)
		}
	}
	return all, nil
}

// Approve pins a tool as HeldBack has shown it.
func (b *Book) Approve(q Quarantined) error { return b.pins.approve(q.id, json.RawMessage(q.Is)) }
