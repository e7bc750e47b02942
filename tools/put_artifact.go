package tools

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

func putArtifact() Tool {
	return define(definition{name: "put_artifact", content: true, title: "Put artifact", toolset: ArtifactTools, heavy: always},
		func(ctx context.Context, c call, in putArtifactIn) (putArtifactOut, error) {
			content, err := in.bytes()
			if err != nil {
				return putArtifactOut{}, err
			}
			kept, err := c.Artifacts.Put(ctx, c.by, c.at, artifacts.Draft{
				Content: content, Type: cmp.Or(in.ArtifactType, typeOf(content, in.MediaType)), Summary: in.Summary, MediaType: in.MediaType, Task: in.TaskID,
			})
			if err != nil {
				return putArtifactOut{}, err
			}
			out := putArtifactOut{artifactOut: reference(kept.Artifact), Summary: kept.Artifact.Summary}
			for _, f := range kept.Found {
				out.Redactions = append(out.Redactions, redactionOut{f.Label, f.Count})
			}
			return out, nil
		})
}

type putArtifactIn struct {
	Content       *string `json:"content,omitempty" holds:"text"`
	ContentBase64 *string `json:"content_base64,omitempty" holds:"text" for:"harness"`
	ArtifactType  string  `json:"artifact_type,omitempty"`
	Summary       string  `json:"summary,omitempty" holds:"text"`
	MediaType     string  `json:"media_type,omitempty" for:"harness"`
	TaskID        string  `json:"task_id,omitempty"`
	place
}

// typeOf returns the type of an artifact whose caller names none: json, the sort of its media type, text or binary.
func typeOf(content, media string) string {
	sort, _, _ := strings.Cut(media, "/")
	trimmed := strings.TrimSpace(content)
	switch {
	case strings.HasSuffix(media, "json"), media == "" && trimmed != "" && strings.ContainsAny(trimmed[:1], "{[") && json.Valid([]byte(trimmed)):
		return "json"
	case ctxmcp.ValidID(sort) && sort != "application":
		return sort
	case utf8.ValidString(content):
		return "text"
	default:
		return "binary"
	}
}

func (in putArtifactIn) bytes() (string, error) {
	invalid := func(what string) error {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s", what).WithHint("give content for text, content_base64 for other bytes")
	}
	switch {
	case in.Content != nil && in.ContentBase64 != nil:
		return "", invalid("content and content_base64 are both given")
	case in.Content != nil:
		return *in.Content, nil
	case in.ContentBase64 == nil:
		return "", invalid("content is missing")
	}
	raw, err := base64.StdEncoding.DecodeString(*in.ContentBase64)
	if err != nil {
		return "", invalid("content_base64 is not base64")
	}
	return string(raw), nil
}

type putArtifactOut struct {
	artifactOut
	Summary    string         `json:"summary,omitempty"`
	Redactions []redactionOut `json:"redactions,omitempty"`
}

// artifactOut is the reference to an artifact, which stands for its bytes.
type artifactOut struct {
	ArtifactID string   `json:"artifact_id"`
	URI        string   `json:"uri"`
	SHA256     string   `json:"sha256"`
	SizeBytes  int64    `json:"size_bytes"`
	MediaType  string   `json:"media_type"`
	SchemaKeys []string `json:"schema_keys"`
}

func reference(a ctxmcp.Artifact) artifactOut {
	return artifactOut{a.ID, a.URI(), a.Digest, a.Size, a.MediaType, a.SchemaKeys}
}
