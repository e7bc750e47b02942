package release

import (
	"encoding/json"
	"fmt"
	"time"
)

// user is the account that the image runs as. It owns the folder of the data and nothing else.
const user = 65532

// The media types of the image format, from github.com/opencontainers/image-spec.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// descriptor refers to a blob of the image.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// layout collects the blobs of an image.
type layout struct {
	files []file
	held  map[string]bool
}

func (l *layout) add(mediaType string, body []byte) descriptor {
	name := digest(body)
	if !l.held[name] {
		l.held[name] = true
		l.files = append(l.files, file{name: "blobs/sha256/" + name, mode: document, body: body})
	}
	return descriptor{MediaType: mediaType, Digest: "sha256:" + name, Size: len(body)}
}

func (l *layout) addJSON(mediaType string, v any) (descriptor, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, fmt.Errorf("write JSON: %w", err)
	}
	return l.add(mediaType, raw), nil
}

// ociImage returns an image for every Linux among the binaries, in one archive of the OCI layout: from scratch, with the binary, the certificates
// and an empty folder for the data.
func ociImage(p Product, built []Built) (Artifact, error) {
	name := fmt.Sprintf("ctx-mcp-%s-oci.tar", p.Version)
	l := &layout{held: map[string]bool{}}
	var manifests []descriptor
	for _, b := range built {
		if b.OS != "linux" {
			continue
		}
		m, err := l.platform(p, b)
		if err != nil {
			return Artifact{Name: name}, err
		}
		manifests = append(manifests, m)
	}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": manifests})
	if err != nil {
		return Artifact{Name: name}, fmt.Errorf("write JSON: %w", err)
	}
	files := append([]file{{name: "oci-layout", mode: document, body: []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {name: "index.json", mode: document, body: index}}, l.files...)
	body, err := tarOf(files, p.Time)
	return Artifact{name, body}, err
}

// platform adds the image of one platform, and returns its manifest.
func (l *layout) platform(p Product, b Built) (descriptor, error) {
	raw, err := tarOf([]file{
		{name: "ctx-mcp", mode: program, body: b.Program},
		{name: "etc/", mode: program}, {name: "etc/passwd", mode: document, body: fmt.Appendf(nil, "ctx:x:%d:%d::/data:/sbin/nologin\n", user, user)},
		{name: "etc/ssl/", mode: program}, {name: "etc/ssl/certs/", mode: program}, {name: "etc/ssl/certs/ca-certificates.crt", mode: document, body: p.Certificates},
		{name: "data/", mode: 0o700, id: user},
	}, p.Time)
	if err != nil {
		return descriptor{}, err
	}
	layer, err := gzipped(raw)
	if err != nil {
		return descriptor{}, err
	}
	config, err := l.addJSON(configType, map[string]any{
		"created": p.Time.UTC().Format(time.RFC3339), "architecture": b.Arch, "os": b.OS,
		"config": map[string]any{
			"User": fmt.Sprintf("%d:%d", user, user), "Entrypoint": []string{"/ctx-mcp"}, "Cmd": []string{"stdio"}, "WorkingDir": "/data",
			"Env": []string{"CTX_MCP_DATA_DIR=/data"}, "Volumes": map[string]any{"/data": map[string]any{}},
			"Labels": map[string]string{"org.opencontainers.image.title": "ctx-mcp", "org.opencontainers.image.description": summary,
				"org.opencontainers.image.version": p.Version, "org.opencontainers.image.licenses": license, "org.opencontainers.image.source": homepage},
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + digest(raw)}},
		"history": []any{map[string]any{"created": p.Time.UTC().Format(time.RFC3339), "comment": "the binary, certificates and an empty folder"}},
	})
	if err != nil {
		return descriptor{}, err
	}
	m, err := l.addJSON(manifestType, map[string]any{"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": []descriptor{l.add(layerType, layer)}})
	m.Platform = &platform{b.Arch, b.OS}
	m.Annotations = map[string]string{"org.opencontainers.image.ref.name": p.Version + "-" + b.Arch}
	return m, err
}
