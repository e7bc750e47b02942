package artifacts

import (
	"bytes"
	"context"
	"mime"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Draft is an artifact as a caller gives it.
type Draft struct {
	Content   string // bytes; text is UTF-8
	Type      string // a word of the caller's, such as search_results
	Tool      string // that returned the bytes; empty: the caller made them
	Origin    string // address of the bytes, such as https://example.org/a; empty: by the tool
	Summary   string
	MediaType string // empty: by the content
	Task      string // to which it belongs; empty: that of the scope
	Once      bool   // where the scope has an artifact that says the same of the same bytes, it is that one
	// Classification is that of what the bytes are made of: the artifact is no less. Empty: nothing that is held here.
	Classification ctxmcp.Classification
}

// Kept is an artifact as it was stored.
type Kept struct {
	Artifact ctxmcp.Artifact
	Found    []redact.Finding
}

const (
	maxType    = 100  // characters
	maxSummary = 2000 // characters
)

// Put redacts what the draft holds and keeps it in the scope. It returns CodeInvalid for a draft that cannot be meant,
// CodeTooLarge over the limit.
func (s *Service) Put(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft) (Kept, error) {
	if err := s.check(d); err != nil {
		return Kept{}, err
	}
	var found []redact.Finding
	raw := d.Content
	hide := s.Redact.Pass(ctx, by.Tenant)
	for _, text := range []*string{&d.Content, &d.Type, &d.Tool, &d.Origin, &d.Summary} {
		var some []redact.Finding
		*text, some = hide.Text(*text)
		found = join(found, some)
	}
	if err := hide.Err(); err != nil {
		return Kept{}, err
	}
	a, err := s.Keep(ctx, by, at, d, Original{Content: raw, Found: found})
	if err != nil {
		return Kept{}, err
	}
	return Kept{Artifact: a, Found: found}, nil
}

// join adds up the counts by label.
func join(a, b []redact.Finding) []redact.Finding {
	for _, f := range b {
		at := -1
		for i := range a {
			if a[i].Label == f.Label {
				at = i
			}
		}
		if at < 0 {
			a = append(a, f)
			continue
		}
		a[at].Count += f.Count
	}
	return a
}

func (s *Service) check(d Draft) error {
	switch {
	case d.Type == "":
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "artifact_type is empty").WithHint("name what it is, such as search_results")
	case utf8.RuneCountInString(d.Type) > maxType:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "artifact_type has more than %d characters", maxType)
	case utf8.RuneCountInString(d.Summary) > maxSummary:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "summary has more than %d characters", maxSummary)
	case d.Task != "" && !ctxmcp.ValidID(d.Task):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "task_id is not an id").
			WithHint("use 1 to %d of the characters A-Z a-z 0-9 _ . -", ctxmcp.MaxIDLength)
	}
	if _, _, err := mime.ParseMediaType(d.MediaType); d.MediaType != "" && err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "media_type cannot be read").WithHint("write it as type/subtype, such as text/csv")
	}
	return s.checkSize(len(d.Content))
}

func (s *Service) checkSize(n int) error {
	if limit := s.options().MaxSize; n > limit {
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the content has %d bytes, more than the limit of %d", n, limit).
			WithHint("split it, or have the operator raise artifacts.max_bytes")
	}
	return nil
}

// Original holds a draft before redaction, and the secrets that were hidden.
type Original struct {
	Content string
	Found   []redact.Finding
}

// Pending is an artifact that is decided on, and whose bytes are still to be written. The zero Pending is none.
type Pending struct {
	Artifact *ctxmcp.Artifact       // its id and its description; nil: nothing is kept
	Write    func() (Change, error) // writes the bytes, and returns the change that makes them an artifact; one that inserts nothing where the artifact is there already
}

// Keep stores a draft that has been redacted. Blob first, row second: a crash between leaves an orphan, which is swept.
func (s *Service) Keep(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft, o Original) (ctxmcp.Artifact, error) {
	return s.keepAs(ctx, by, at, d, o, "")
}

// Ready decides on the artifact of a draft that has been redacted, for a caller that writes its bytes beside other work, and applies the change together
// with more. If it is not applied, there is no artifact, and the bytes are an orphan, which is swept.
func (s *Service) Ready(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft, o Original) (Pending, error) {
	p, err := s.ready(ctx, by, at, d, o, "")
	if err != nil {
		return Pending{}, err
	}
	write := p.Write
	p.Write = func() (Change, error) {
		c, err := write()
		if err == nil {
			s.retireNowAndThen(ctx)
		}
		return c, err
	}
	return p, nil
}

// keepAs stores a draft under an id; "" asks for a fresh one.
func (s *Service) keepAs(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft, o Original, id string) (ctxmcp.Artifact, error) {
	p, err := s.ready(ctx, by, at, d, o, id)
	if err != nil {
		return ctxmcp.Artifact{}, err
	}
	c, err := p.Write()
	if err != nil || len(c.Insert) == 0 {
		return *p.Artifact, err
	}
	if err = s.Index.ApplyArtifacts(ctx, c); err == nil {
		s.retireNowAndThen(ctx)
	}
	return c.Insert[0], err
}

// ready decides on the artifact of a draft: a new one, or the one that says the same, where there is one and the draft asks for that.
func (s *Service) ready(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft, o Original, id string) (Pending, error) {
	if err := s.checkSize(len(d.Content)); err != nil {
		return Pending{}, err
	}
	a := describe(d)
	a.TenantID, a.Home, a.Task, a.Created = by.Tenant, at, d.Task, s.now()
	if a.Task == "" {
		a.Task = at.Task
	}
	if a.ID = id; id == "" {
		a.ID = Name(d, a.Created, s.NewID())
	}
	a.Classification = Classify(by, len(o.Found) > 0)
	if d.Classification != "" && d.Classification.Rank() > a.Classification.Rank() {
		a.Classification = d.Classification
	}
	held, err := s.admit(ctx, a, d, o)
	if err != nil {
		return Pending{}, err
	}
	if held.ID != "" {
		return Pending{Artifact: &held, Write: func() (Change, error) {
			_, _, err := s.Blobs.Put(ctx, strings.NewReader(d.Content)) // its bytes are as new as if they were stored now, and sound
			return Change{}, err
		}}, nil
	}
	return Pending{Artifact: &a, Write: func() (Change, error) { return s.write(ctx, by, a, d, o) }}, nil
}

// write writes the bytes of an artifact.
func (s *Service) write(ctx context.Context, by ctxmcp.Caller, a ctxmcp.Artifact, d Draft, o Original) (c Change, err error) {
	if a.Digest, a.Size, err = s.Blobs.Put(ctx, strings.NewReader(d.Content)); err != nil {
		return Change{}, err
	}
	if err := s.keepRaw(ctx, d, o, &a); err != nil {
		return Change{}, err
	}
	return Change{
		Insert: []ctxmcp.Artifact{a},
		Audit:  []ctxmcp.Event{{At: a.Created, Tenant: by.Tenant, User: by.User, Action: "put_artifact", ObjectID: a.ID, Detail: channelOf(a)}},
	}, nil
}

// channelOf returns where the bytes came from in one word, such as tool or memory. The rest of the origin may be a question, and the audit
// trail outlives what it asked for.
func channelOf(a ctxmcp.Artifact) string {
	scheme, _, _ := strings.Cut(a.Origin, ":")
	return scheme
}

// admit returns the artifact that says the same already, if the draft asks for it; or the error of a quota that has no room, before
// any bytes are written.
func (s *Service) admit(ctx context.Context, a ctxmcp.Artifact, d Draft, o Original) (ctxmcp.Artifact, error) {
	a.Size = int64(len(d.Content))
	if d.Once {
		a.Digest = ctxmcp.Digest(d.Content)
		if held, err := s.same(ctx, a); err != nil || held.ID != "" {
			return held, err
		}
	}
	if s.keepsRaw(d, o) {
		a.RawSize = int64(len(o.Content))
	}
	return ctxmcp.Artifact{}, s.Index.Room(ctx, Change{Insert: []ctxmcp.Artifact{a}}.Claims()...)
}

// keepsRaw reports whether the original is kept too: if originals are, and it differs.
func (s *Service) keepsRaw(d Draft, o Original) bool {
	return s.Sealer != nil && o.Content != d.Content && o.Content != ""
}

// same returns the newest artifact that differs from a in nothing but when it was made, or none.
func (s *Service) same(ctx context.Context, a ctxmcp.Artifact) (ctxmcp.Artifact, error) {
	found, err := s.Select(ctx, Query{
		Tenant: a.TenantID, Namespaces: []string{a.Home.Namespace()}, Clearance: a.Classification, Digest: a.Digest, Task: a.Task,
	})
	for _, held := range slices.Backward(found) {
		twin := held
		if twin.ID, twin.Created = a.ID, a.Created; reflect.DeepEqual(twin, a) {
			return held, nil
		}
	}
	return ctxmcp.Artifact{}, err
}

// Classify returns the class of bytes that were redacted: confidential if there was something to hide, for what stands
// around a secret is seldom meant for everybody; else restricted; and never more than the caller may read again.
func Classify(by ctxmcp.Caller, hidden bool) ctxmcp.Classification {
	class := ctxmcp.Restricted
	if hidden {
		class = ctxmcp.Confidential
	}
	if !by.Cleared(class) {
		return by.Ceiling()
	}
	return class
}

// keepRaw stores the original of a, encrypted, if it is kept.
func (s *Service) keepRaw(ctx context.Context, d Draft, o Original, a *ctxmcp.Artifact) error {
	if !s.keepsRaw(d, o) {
		return nil
	}
	sealed, err := s.Sealer.Seal([]byte(o.Content))
	if err != nil {
		return err
	}
	a.RawDigest, a.RawSize, err = s.Blobs.Put(ctx, bytes.NewReader(sealed))
	return err
}

// Name returns the id of an artifact, in the form {tool}_{YYYYMMDD_HHMMSS}_{id}.
func Name(d Draft, at time.Time, uuid string) string {
	uuid = strings.ReplaceAll(uuid, "-", "")
	return subject(d) + "_" + at.UTC().Format("20060102_150405") + "_" + uuid[max(0, len(uuid)-12):]
}

// subject returns what a draft is of, as the beginning of an id.
func subject(d Draft) string {
	const most = 40
	subject := d.Tool
	if subject == "" {
		subject = d.Type
	}
	word := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && ctxmcp.ValidID(string(r)) {
			return r
		}
		return '-'
	}, subject)
	word = strings.Trim(word[:min(len(word), most)], "-._")
	if word == "" {
		word = "artifact"
	}
	return word
}
