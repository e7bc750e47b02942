package ctxmcp

import (
	"strings"
	"time"
)

// Artifact is a reference to bytes that are kept outside of any prompt: a handle, and what a model can reason about
// without reading them. The bytes are those after redaction.
type Artifact struct {
	ID             string         `json:"artifact_id"`
	TenantID       string         `json:"tenant_id"`
	Home           Scope          `json:"home"` // bounds the visibility
	Task           string         `json:"task_id,omitempty"`
	Type           string         `json:"artifact_type"`
	Summary        string         `json:"summary"`
	MediaType      string         `json:"media_type"`
	Binary         bool           `json:"binary,omitempty"` // the bytes are not UTF-8 text
	Size           int64          `json:"size_bytes"`
	Digest         string         `json:"sha256"`
	SchemaKeys     []string       `json:"schema_keys"` // top-level keys of a JSON object, or of the records of an array
	Classification Classification `json:"classification"`
	Origin         string         `json:"origin"` // where the bytes came from, such as tool://search_logs
	Created        time.Time      `json:"created"`
	// RawDigest names the encrypted bytes from before redaction, and RawSize says how many they are; empty: none are kept.
	RawDigest string `json:"raw_sha256,omitempty"`
	RawSize   int64  `json:"raw_size_bytes,omitempty"`
}

// ArtifactScheme begins the URI of an artifact.
const ArtifactScheme = "ctx://artifact/"

// URI returns the address under which the artifact can be read as a resource.
func (a Artifact) URI() string { return ArtifactScheme + a.ID }

// ArtifactID returns the id of an artifact that is named by its id or by its URI.
func ArtifactID(name string) string { return strings.TrimPrefix(name, ArtifactScheme) }
