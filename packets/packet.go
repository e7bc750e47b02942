package packets

import (
	"encoding/json"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Format names the form of a packet, and FormatVersion its version. They are part of every canonical form. Packets of version 1, whose
// canonical form holds the instant of the compile, are read as they are.
const (
	Format        = "ctx-mcp/context-packet"
	FormatVersion = 2

	datedVersion = 1 // the last version whose canonical form holds the instant
)

// Kind says what made a packet, and so how it is made again. The words are stored: append only.
type Kind string

// The kinds.
const (
	Compile   Kind = "compile"   // the envelope of a model call
	Retrieval Kind = "retrieval" // documents of a directive
)

// Packet is an immutable record of what a model was given. The field names are those of docs/format/context-packet.md.
type Packet struct {
	Format        string            `json:"format"`
	FormatVersion int               `json:"format_version"`
	Kind          Kind              `json:"kind"`
	Schema        Schema            `json:"schema"`
	Schemas       map[string]string `json:"context_schemas"` // versions of the context schemas that were in force
	Parent        string            `json:"parent,omitempty"`
	Tenant        string            `json:"tenant_id"`
	Home          ctxmcp.Scope      `json:"scope"`
	// Created is the instant of the compile. It is outside of the canonical form: equal compiles are one packet, whenever they were made.
	Created time.Time `json:"created,omitzero"`
	// PolicyDigest names the canonical form of the policy that decided; empty: none did.
	PolicyDigest string                     `json:"policy_digest,omitempty"`
	Inputs       json.RawMessage            `json:"inputs"`
	Output       json.RawMessage            `json:"output"`
	Sources      []Source                   `json:"sources"`           // in the order of CompareSources
	Derived      []Derivative               `json:"derived,omitempty"` // artifacts that were made of it
	Metadata     map[string]json.RawMessage `json:"metadata"`          // always with pii, a boolean
}

// Schema names the shape of a packet's inputs and output, with its version.
type Schema struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// SourceKind says what a source is. The words are stored: append only.
type SourceKind string

// The kinds of sources. Those that the store holds can be looked up again; the rest is as the digest says.
const (
	ObjectSource   SourceKind = "object"   // a version of a context object
	ArtifactSource SourceKind = "artifact" // bytes of the artifact store
	OutsideSource  SourceKind = "outside"  // a file, a page, an upstream's answer, a message: not held here
)

// Source is one thing that went into a packet, at its version.
type Source struct {
	Kind    SourceKind `json:"kind"`
	ID      string     `json:"id"`
	Version int        `json:"version,omitempty"` // of an object
	// Digest is sha256: and the digest: of an object, of the canonical form of what of it never changes (Frozen); of
	// anything else, of its bytes after redaction.
	Digest         string                 `json:"digest"`
	Origin         string                 `json:"origin,omitempty"`
	Authority      ctxmcp.Authority       `json:"authority_level"`
	Classification ctxmcp.Classification  `json:"security_classification"`
	Permissions    ctxmcp.PermissionScope `json:"permission_scope,omitzero"`
	PII            bool                   `json:"pii,omitempty"`
}

// Derivative is an artifact that was made of a packet's sources.
type Derivative struct {
	ID     string `json:"artifact_id"`
	Digest string `json:"digest"` // sha256: and the digest of its bytes
}

// Draft is a packet as whoever compiled gives it. Everything in it has been redacted.
type Draft struct {
	Kind     Kind
	Schema   string    // name of a context schema; empty: the kind's own
	Parent   string    // context_ref of the packet that this is a new version of; empty: none
	Trace    string    // id under which the packet is found too; empty: none
	At       time.Time // instant of the compile, which the reference does not depend on; zero: now
	Inputs   json.RawMessage
	Admitted bool // Inputs are as Admit returned them, in canonical form: Seal does not read them again
	Output   json.RawMessage
	Policy   json.RawMessage // document that decided; kept once by its digest; empty: none
	Sources  []Source        // every one, also of what was left out of the output
	Derived  []Derivative    // artifacts that were made of it, and go when one of its objects is erased
	Metadata map[string]json.RawMessage
}

// Sealed is a packet with its name.
type Sealed struct {
	Ref    string // context_ref: sha256: and 64 hexadecimal digits
	Packet Packet
	Bytes  []byte // the canonical form
}
