package packets

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/ctx-mcp/ctx-mcp"
)

// Canonical returns the JSON of v in the form of RFC 8785, in which equal values have equal bytes. Numbers are those of
// IEEE 754: compile what Canonical returns, not what it was given, where a number may have more digits. It returns
// CodeInvalid for what has no such form: a name twice in an object, half of a surrogate pair.
func Canonical(v any) ([]byte, error) {
	raw, is := v.(json.RawMessage)
	var err error
	switch {
	case !is:
		raw, err = json.Marshal(v)
	case !json.Valid(raw):
		err = errors.New("not JSON")
	}
	if err == nil {
		raw, err = jcs.Transform(raw)
	}
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the value has no canonical JSON").WithCause(err).
			WithHint("give each name of an object once, and text that is UTF-8")
	}
	return raw, nil
}

// refPrefix begins every reference and digest of this package.
const refPrefix = "sha256:"

var refForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// ValidRef reports whether the text has the form of a context_ref.
func ValidRef(text string) bool { return refForm.MatchString(text) }

// DigestOf returns the digest of bytes in the form sha256:….
func DigestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return refPrefix + hex.EncodeToString(sum[:])
}

// bare returns the hexadecimal digits of a digest, as blobs are named.
func bare(digest string) string { return strings.TrimPrefix(digest, refPrefix) }

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
		Kind: ObjectSource, ID: o.ObjectID, Version: o.Version, Digest: DigestOf(frozen), Origin: o.SourceOrigin,
		Authority: o.Authority, Classification: o.Classification, Permissions: o.PermissionScope,
	}, err
}

// Artifact returns an artifact as a source.
func Artifact(a ctxmcp.Artifact) Source {
	return Source{
		Kind: ArtifactSource, ID: a.ID, Digest: refPrefix + a.Digest, Origin: a.Origin,
		Authority: ctxmcp.AuthorityRetrieved, Classification: a.Classification,
	}
}

// Outside returns text that is held nowhere else as a source, such as a message or an answer.
func Outside(id, origin, text string, authority ctxmcp.Authority, class ctxmcp.Classification) Source {
	return Source{Kind: OutsideSource, ID: id, Digest: DigestOf([]byte(text)), Origin: origin, Authority: authority, Classification: class}
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
