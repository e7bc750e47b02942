package packets

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Blobs keeps the canonical forms, beside the bytes of the artifacts.
type Blobs interface {
	Put(ctx context.Context, r io.Reader) (digest string, size int64, err error)
	Open(ctx context.Context, digest string) (artifacts.Blob, error)
	// Remove deletes a blob unless it was stored at or after the instant, and reports whether it did.
	Remove(ctx context.Context, digest string, before time.Time) (bool, error)
}

// Objects reads context objects.
type Objects interface {
	Find(ctx context.Context, q memory.Query) ([]ctxmcp.ContextObject, error)
}

// Artifacts reads references to artifacts.
type Artifacts interface {
	FindArtifacts(ctx context.Context, q artifacts.Query) ([]ctxmcp.Artifact, error)
}

// Digests knows whether something still refers to bytes.
type Digests interface {
	HoldsDigest(ctx context.Context, digest string) (bool, error)
}

// PII says what becomes of what names people. The words are written in configuration files: append only.
type PII string

// The ways. Flag keeps it and marks the packet; Redact hides it before anything is compiled; Reject refuses the packet.
const (
	FlagPII   PII = "flag"
	RedactPII PII = "redact"
	RejectPII PII = "reject"
)

// Ways lists the vocabulary.
func Ways() []PII { return []PII{FlagPII, RedactPII, RejectPII} }

// Options tunes a Service. The zero value works.
type Options struct {
	PII     PII               // default FlagPII
	Schemas map[string]string // versions of context schemas, beside those of the kinds
	Shapes  map[string]Shape  // of the context schemas that are checked, by name
	Keep    int               // packets of a home that a sweep leaves; default 500
	SweepAt int               // packets of a home beyond which it is swept; default 600
	MaxAge  time.Duration     // after which a packet is retired; default 30 days; negative: never
	MaxSize int               // bytes of a canonical form; default 16 MiB
}

func (o Options) withDefaults() Options {
	o.PII = cmp.Or(o.PII, FlagPII)
	o.Keep = cmp.Or(o.Keep, 500)
	o.SweepAt = cmp.Or(o.SweepAt, 600)
	o.MaxAge = cmp.Or(o.MaxAge, 30*24*time.Hour)
	o.MaxSize = cmp.Or(o.MaxSize, 16<<20)
	return o
}

// Service carries out the verbs of packets. Its fields are set once, before use.
type Service struct {
	Store     Store
	Blobs     Blobs
	Digests   Digests
	Objects   Objects
	Artifacts Artifacts
	// Redact hides the secrets of a text of the tenant, as memories may hold it. Personal hides what names people too.
	Redact      redact.Func
	Personal    redact.Func
	Recompilers map[Kind]Recompiler
	Receipts    Receipts // nil: nothing is signed
	Now         func() time.Time
	Logger      *slog.Logger
	Options     Options
}

func (s *Service) options() Options { return s.Options.withDefaults() }

func (s *Service) now() time.Time { return ctxmcp.Instant(s.Now()) }
