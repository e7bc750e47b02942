package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// digest identifies the line of a version.
type digest [sha256.Size]byte

// newEncoder returns an encoder that writes a version as a line: compact, in the order of the fields of
// ctxmcp.ContextObject, with <, > and & as themselves.
func newEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// encode returns the line of a version, its line feed included.
func encode(o ctxmcp.ContextObject) ([]byte, error) {
	var b bytes.Buffer
	if err := newEncoder(&b).Encode(canonical(o)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// canonical returns the one form of a version among those that mean the same: times as they are stored, required lists
// present even if empty, and other lists absent then.
func canonical(o ctxmcp.ContextObject) ctxmcp.ContextObject {
	for _, t := range []*time.Time{
		&o.ValidFrom, &o.ValidUntil, &o.TxStart, &o.TxEnd, &o.LastConfirmed, &o.LastUsed, &o.ObservedAt,
	} {
		*t = ctxmcp.Instant(*t)
	}
	o.CanonicalEntityIDs, o.ApplicableTaskTypes = present(o.CanonicalEntityIDs), present(o.ApplicableTaskTypes)
	o.Aliases, o.DerivedFrom, o.Domains = absent(o.Aliases), absent(o.DerivedFrom), absent(o.Domains)
	o.PermissionScope.AllowRoles = absent(o.PermissionScope.AllowRoles)
	o.PermissionScope.DenyRoles = absent(o.PermissionScope.DenyRoles)
	return o
}

func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func absent[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
