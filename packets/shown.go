package packets

import (
	"context"
	"encoding/json"
	"strings"
)

// Shown returns a value without what the settings hide by now: its sources may have been stored before. The value is in canonical form, and so
// is the one returned.
func (s *Service) Shown(ctx context.Context, tenant string, canonical json.RawMessage) (json.RawMessage, error) {
	some, err := different(ctx, canonical)
	if err != nil {
		return nil, err
	}
	hide := s.Redact.Pass(ctx, tenant)
	if _, found := hide.Text(joined(some)); len(found) == 0 || hide.Err() != nil {
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

// joined returns the texts of leaves one below the other. A find may be of two that only stand beside each other.
func joined(leaves []leaf) string {
	var all strings.Builder
	for _, l := range leaves {
		all.WriteString(l.text)
		all.WriteString("\n\n")
	}
	return all.String()
}
