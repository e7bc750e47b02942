package artifacts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// OnceID returns the id under which KeepOnce keeps a draft in a scope: a word for where it is from, and a digest of the place
// and the content. The same content has the same id in one place, and another one elsewhere.
func OnceID(by ctxmcp.Caller, at ctxmcp.Scope, d Draft) string {
	sum := sha256.New()
	for _, part := range []string{by.Tenant, at.Namespace(), d.Type, d.Content} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	return subject(d) + "_" + hex.EncodeToString(sum.Sum(nil)[:8])
}

// KeepOnce stores a draft that has been redacted, unless the scope has it already. Called again with the same draft it returns the
// same artifact.
func (s *Service) KeepOnce(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft, o Original) (ctxmcp.Artifact, error) {
	id := OnceID(by, at, d)
	a, err := s.Find(ctx, by, at, id)
	if err == nil {
		return a[0], nil
	}
	if ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		return ctxmcp.Artifact{}, err
	}
	kept, err := s.keepAs(ctx, by, at, d, o, id)
	if ctxmcp.CodeOf(err) == ctxmcp.CodeConflict { // another call was faster
		if a, found := s.Find(ctx, by, at, id); found == nil {
			return a[0], nil
		}
	}
	return kept, err
}

// Hold keeps artifacts of the caller's tenant from being retired until an instant, because something of the name of holder that is still
// in use names them. Held again they stay until the later call says.
func (s *Service) Hold(ctx context.Context, by ctxmcp.Caller, holder string, ids []string, until time.Time) error {
	var c Change
	for _, id := range ids {
		c.Pins = append(c.Pins, Pin{Tenant: by.Tenant, Artifact: id, Holder: holder, Until: ctxmcp.Instant(until)})
	}
	return s.Index.ApplyArtifacts(ctx, c)
}

// Text returns all of an artifact that is text. It returns CodeNotFound for one that does not exist for the caller, CodeInvalid for
// bytes that are not text.
func (s *Service) Text(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) (string, error) {
	found, err := s.Find(ctx, by, at, id)
	if err != nil {
		return "", err
	}
	if found[0].Binary {
		return "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "the artifact is not text")
	}
	b, err := s.Open(ctx, found[0])
	if err != nil {
		return "", err
	}
	defer b.Close()
	var text strings.Builder
	text.Grow(int(b.Size()))
	buffer := make([]byte, 1<<20)
	for at := int64(0); at < b.Size(); {
		n, err := b.ReadAt(buffer[:min(int64(len(buffer)), b.Size()-at)], at)
		text.Write(buffer[:n])
		at += int64(n)
		if err != nil && at < b.Size() {
			return "", err
		}
	}
	return text.String(), nil
}
