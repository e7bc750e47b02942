package packets

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Shown returns a value without what the settings hide by now: its sources may have been stored before. The value is in canonical form, and so
// is the one returned.
func (s *Service) Shown(ctx context.Context, tenant string, canonical json.RawMessage) (json.RawMessage, error) {
	some, err := different(ctx, canonical)
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, tenant, canonical, some)
}

// shown is Shown of a value with its different strings.
func (s *Service) shown(ctx context.Context, tenant string, canonical json.RawMessage, some []leaf) (json.RawMessage, error) {
	hide := s.Redact.Pass(ctx, tenant)
	if !slices.ContainsFunc(some, func(l leaf) bool { return !isOurs(l.text) && finds(hide, l.text) }) || hide.Err() != nil {
		return canonical, hide.Err()
	}
	known := map[string]string{} // a text stands in many places
	clean, err := mapLeaves(ctx, canonical, func(l leaf) string {
		if isOurs(l.text) {
			return l.text
		}
		text, seen := known[l.text]
		if !seen {
			text, _ = hide.Text(l.text)
			known[l.text] = text
		}
		return text
	})
	if err == nil {
		err = hide.Err()
	}
	return clean, err
}

// finds reports whether something of a text is to be hidden, or a text before it failed.
func finds(hide *redact.Pass, text string) bool {
	_, found := hide.Text(text)
	return len(found) > 0 || hide.Err() != nil
}
