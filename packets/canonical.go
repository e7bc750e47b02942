package packets

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Canonical returns the JSON of v in the form of ijson.Canonical: compile its answer, not its argument, whose numbers may have more digits.
// It returns CodeInvalid for a value that has no such form.
func Canonical(v any) ([]byte, error) {
	raw, err := ijson.Canonical(v)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the value has no canonical JSON").WithCause(err).
			WithHint("give each name of an object once, and text that is UTF-8")
	}
	return raw, nil
}

var refForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// canonical returns the canonical form of the packet. Inputs that are in this form already are put in as they are.
func (p Packet) canonical(inputsAre bool) ([]byte, error) {
	if !inputsAre {
		return Canonical(p)
	}
	inputs := p.Inputs
	p.Inputs = nil
	raw, err := Canonical(p)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	members["inputs"] = inputs
	return ijson.Object(members)
}

// ValidRef reports whether the text has the form of a context_ref.
func ValidRef(text string) bool { return refForm.MatchString(text) }

// bare returns the hexadecimal digits of a digest, as blobs are named.
func bare(digest string) string { return strings.TrimPrefix(digest, ctxmcp.DigestPrefix) }

// Frozen returns the canonical form of what of a version never changes: all but when and how it ended, when it was
// confirmed, and when it was used.
func Frozen(o ctxmcp.ContextObject) ([]byte, error) {
	o.TxEnd, o.LastConfirmed, o.LastUsed, o.Closing = time.Time{}, time.Time{}, time.Time{}, nil
	return Canonical(o)
}

// Object returns a version of a context object as a source.
func Object(o ctxmcp.ContextObject) (Source, error) {
	frozen, err := Frozen(o)
	return Source{
		Kind: ObjectSource, ID: o.ObjectID, Version: o.Version, Digest: ctxmcp.DigestRef(frozen), Origin: o.SourceOrigin,
		Authority: o.Authority, Classification: o.Classification, Permissions: o.PermissionScope,
	}, err
}

// Artifact returns an artifact as a source.
func Artifact(a ctxmcp.Artifact) Source {
	return Source{
		Kind: ArtifactSource, ID: a.ID, Digest: ctxmcp.DigestPrefix + a.Digest, Origin: a.Origin,
		Authority: ctxmcp.AuthorityRetrieved, Classification: a.Classification,
	}
}

// Outside returns text that is held nowhere else as a source, such as a message or an answer.
func Outside(id, origin, text string, authority ctxmcp.Authority, class ctxmcp.Classification) Source {
	return Source{Kind: OutsideSource, ID: id, Digest: ctxmcp.DigestRef(text), Origin: origin, Authority: authority, Classification: class}
}

// CompareSources orders sources by kind, id and version: the order in which a packet lists them.
func CompareSources(a, b Source) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Digest, b.Digest))
}

// arranged returns the sources in order, each once.
func arranged(list []Source) []Source {
	list = slices.Clone(list)
	slices.SortFunc(list, CompareSources)
	return slices.CompactFunc(list, func(a, b Source) bool { return CompareSources(a, b) == 0 })
}
