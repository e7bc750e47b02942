package sqlite

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
)

// sealedArtifact is the reference to an artifact in its column, sealed. The sizes stay legible for the quotas.
type sealedArtifact struct {
	Sealed  []byte `json:"sealed"`
	Key     string `json:"key"` // id
	Size    int64  `json:"size_bytes"`
	RawSize int64  `json:"raw_size_bytes,omitempty"`
}

// artifactWriting holds the columns of an artifact that have content.
type artifactWriting struct{ artifact, digest, rawDigest string }

// writtenArtifact returns the columns of an artifact, sealed if there is a key.
func (z *sealing) writtenArtifact(a ctxmcp.Artifact, key *versionKey) (artifactWriting, error) {
	body, err := json.Marshal(a)
	if err != nil || key == nil {
		return artifactWriting{string(body), a.Digest, a.RawDigest}, err
	}
	sealed, err := key.close(string(body))
	if err != nil {
		return artifactWriting{}, err
	}
	body, err = json.Marshal(sealedArtifact{sealed, key.id, a.Size, a.RawSize})
	return artifactWriting{string(body), z.blobName(a.Digest), z.blobName(a.RawDigest)}, err
}

// blobName returns the digest of a digest of bytes, under the key of the index; none where there are no keys, or no digest.
func (z *sealing) blobName(digest string) string {
	if z == nil || digest == "" {
		return ""
	}
	return hex.EncodeToString(mac(z.index, kindBlob+"\x00"+digest))
}

// artifacts returns the artifacts of rows, in their order, without those that were sealed under a key that is gone. It returns CodeUnavailable for a sealed
// one where no keys are configured.
func (z *sealing) artifacts(ctx context.Context, rows *sql.Rows) ([]ctxmcp.Artifact, error) {
	texts, err := textsOf(rows)
	if err != nil {
		return nil, err
	}
	sealed, ids := make([]sealedArtifact, len(texts)), []string(nil)
	for i, text := range texts {
		if !isSealed(text) {
			continue
		}
		if err := json.Unmarshal([]byte(text), &sealed[i]); err != nil {
			return nil, fmt.Errorf("read an artifact: %w", err)
		}
		ids = append(ids, sealed[i].Key)
	}
	keys, err := z.find(ctx, ids)
	if err != nil {
		return nil, err
	}
	var found []ctxmcp.Artifact
	for i, text := range texts {
		body := []byte(text)
		if s := sealed[i]; s.Key != "" {
			if keys[s.Key] == nil {
				continue
			}
			if body, err = (versionKey{s.Key, keys[s.Key]}).open(s.Sealed); err != nil {
				return nil, err
			}
		}
		var a ctxmcp.Artifact
		if err := json.Unmarshal(body, &a); err != nil {
			return nil, fmt.Errorf("read an artifact: %w", err)
		}
		found = append(found, a)
	}
	return found, nil
}
