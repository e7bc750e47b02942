package packets

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Canonical returns the JSON of v in the form of ijson.CanonicalDuring: compile its answer, not its argument, whose numbers may have more
// digits. It returns CodeInvalid for a value that has no such form, and the error of ctx once it has ended.
func Canonical(ctx context.Context, v any) ([]byte, error) {
	raw, err := ijson.CanonicalDuring(ctx, v)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the value has no canonical JSON").WithCause(err).
			WithHint("give each name of an object once, and text that is UTF-8")
	}
	return raw, nil
}

var refForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^sha256:[0-9a-f]{64}$`) })

// canonical returns the canonical form of the packet. Inputs that are in this form already are put in as they are.
func (p Packet) canonical(ctx context.Context, inputsAre bool) ([]byte, error) {
	large := map[string]json.RawMessage{inputsName: p.Inputs, outputName: p.Output}
	p.Inputs, p.Output = nil, nil
	if p.FormatVersion > datedVersion {
		p.Created = time.Time{}
	}
	raw, err := Canonical(ctx, p)
	if err != nil {
		return nil, err
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	for name, value := range large {
		switch {
		case value == nil: // it stands there as null
		case inputsAre && name == inputsName:
			members[name] = value
		default:
			if members[name], err = Canonical(ctx, value); err != nil {
				return nil, err
			}
		}
	}
	return ijson.Object(members)
}

// ValidRef reports whether the text has the form of a context_ref.
func ValidRef(text string) bool { return refForm().MatchString(text) }

// bare returns the hexadecimal digits of a digest, as blobs are named.
func bare(digest string) string { return strings.TrimPrefix(digest, ctxmcp.DigestPrefix) }

// Frozen returns the canonical form of what of a version never changes: all but when and how it ended, when it was
// confirmed, and when it was used. A version is small, since its content is bounded: who freezes many looks at the context between two.
func Frozen(o ctxmcp.ContextObject) ([]byte, error) {
	o.TxEnd, o.LastConfirmed, o.LastUsed, o.Closing = time.Time{}, time.Time{}, time.Time{}, nil
	return Canonical(context.Background(), o)
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
