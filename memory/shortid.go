package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// wholeID is the length of a UUID: an id that is as long is no short form.
const wholeID = 36

// mostNamed is the number of objects that the error of an ambiguous short id names.
const mostNamed = 5

// fullID returns the id of the object of the caller's that an id, or the short form of one, names: the end of the id, of four
// characters or more. An id that names none is returned as it is. It returns CodeConflict, with the candidates, where several
// objects have that end.
func (s *Core) fullID(ctx context.Context, by ctxmcp.Caller, id string) (string, error) {
	id = strings.TrimSuffix(strings.TrimPrefix(id, "["), "]") // as it stands in an answer
	if len(id) < ctxmcp.LeastShortID || len(id) >= wholeID || !ctxmcp.ValidID(id) {
		return id, nil
	}
	q := ownedBy(by)
	q.ObjectIDs, q.EveryVersion, q.Archived, q.Limit = []string{id}, true, true, 1
	found, err := s.Store.Find(ctx, q)
	if err != nil || len(found) > 0 {
		return id, wrapped(err, id)
	}
	q.ObjectIDs, q.ObjectEnd, q.Limit = nil, id, 0
	found, err = s.Store.Find(ctx, q)
	if err != nil {
		return id, wrapped(err, id)
	}
	switch named := candidatesOf(found); len(named) {
	case 0:
		return id, nil
	case 1:
		return named[0].ID, nil
	default:
		return id, ambiguous(id, named)
	}
}

// meantAmong returns the one of the ids that an id, or the short form of one, names; the text as it is where it names none, or several.
func meantAmong(ids []string, text string) string {
	short := strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	if len(short) < ctxmcp.LeastShortID || slices.Contains(ids, text) {
		return text
	}
	meant := ""
	for _, id := range ids {
		switch {
		case len(id) < wholeID || !strings.HasSuffix(id, short):
		case meant != "":
			return text
		default:
			meant = id
		}
	}
	return cmp.Or(meant, text)
}

func wrapped(err error, id string) error {
	if err != nil {
		return fmt.Errorf("find %s: %w", id, err)
	}
	return nil
}

// ambiguous is the error for a short id of several objects. It names them by ids that tell them apart.
func ambiguous(id string, named []ReviewCandidate) error {
	var ids, told []string
	for _, c := range named {
		ids = append(ids, c.ID)
	}
	short := ctxmcp.ShortIDs(ids)
	for _, c := range named[:min(len(named), mostNamed)] {
		told = append(told, fmt.Sprintf("%s (%s)", short[c.ID], ctxmcp.Shorten(c.Object.Content, shownTitle)))
	}
	slices.Sort(told)
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "%d objects have an id that ends with %s", len(named), id).
		WithHint("name one of them: %s", strings.Join(told, "; "))
}

// withFullIDs returns the draft with the ids of the objects that it names in full.
func (s *writer) withFullIDs(ctx context.Context, by ctxmcp.Caller, d Draft) (_ Draft, err error) {
	if d.Supersedes != "" {
		if d.Supersedes, err = s.fullID(ctx, by, d.Supersedes); err != nil {
			return d, err
		}
	}
	d.DerivedFrom = slices.Clone(d.DerivedFrom)
	for i, id := range d.DerivedFrom {
		if d.DerivedFrom[i], err = s.fullID(ctx, by, id); err != nil {
			return d, err
		}
	}
	return d, nil
}
