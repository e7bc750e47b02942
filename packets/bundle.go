package packets

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// BundleFormat names the form of a replay bundle, and BundleVersion its version.
const (
	BundleFormat  = "ctx-mcp/replay-bundle"
	BundleVersion = 1
)

// The files of a bundle. Objects and artifacts are named by their digests.
const (
	manifestFile = "manifest.json"
	packetFile   = "packet.json"
	policyFile   = "policy.json"
	traceFile    = "trace.json"
	receiptsFile = "receipts.json"
	createdFile  = "created.json" // of a packet whose canonical form has no instant
	objectFolder = "objects/"
	bytesFolder  = "artifacts/"
)

// Manifest lists what is in a bundle. Every file but the manifest itself is in it, by path.
type Manifest struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	Ref           string `json:"context_ref"`
	Files         []File `json:"files"`
}

// File is one file of a bundle.
type File struct {
	Path   string `json:"path"`
	Size   int    `json:"size_bytes"`
	Digest string `json:"sha256"` // in the form sha256:…
}

// Receipts gives what was signed about a packet.
type Receipts interface {
	// ReceiptsOf returns the receipts that name the packet, each as JSON, in a stable order.
	ReceiptsOf(ctx context.Context, tenant, ref string) ([]json.RawMessage, error)
}

// files are the contents of a bundle by path.
type files map[string][]byte

// Bundle returns a replay bundle: a tar with the packet and all that is needed to prove it where its data has never been.
// The same packet gives the same bytes until it is compiled again, or a receipt names it. It returns CodeNotFound for a packet that does not exist for the caller,
// CodeConflict if a source is not held any longer as it was.
func (s *Service) Bundle(ctx context.Context, by ctxmcp.Caller, name string) ([]byte, error) {
	sealed, err := s.Named(ctx, by, ctxmcp.Scope{}, name)
	if err != nil {
		return nil, err
	}
	p := sealed.Packet
	all := files{packetFile: sealed.Bytes}
	if p.FormatVersion > datedVersion {
		if all[createdFile], err = Canonical(ctx, p.Created); err != nil {
			return nil, err
		}
	}
	if p.PolicyDigest != "" {
		if all[policyFile], err = s.bytes(ctx, p.PolicyDigest); err != nil {
			return nil, err
		}
	}
	if trace := traceOf(p); trace != nil {
		all[traceFile] = trace
	}
	if all[receiptsFile], err = s.receipts(ctx, p.Tenant, sealed.Ref); err != nil {
		return nil, err
	}
	if err := s.addSources(ctx, p, all); err != nil {
		return nil, err
	}
	return all.pack(ctx, sealed.Ref)
}

// traceOf returns the trace of a compile in canonical form, which is a part of its output; nil if there is none.
func traceOf(p Packet) []byte {
	var output struct {
		Trace json.RawMessage `json:"trace"`
	}
	if json.Unmarshal(p.Output, &output) != nil || len(output.Trace) == 0 {
		return nil
	}
	return output.Trace
}

func (s *Service) receipts(ctx context.Context, tenant, ref string) ([]byte, error) {
	list := []json.RawMessage{}
	if s.Receipts != nil {
		found, err := s.Receipts.ReceiptsOf(ctx, tenant, ref)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return Canonical(ctx, list)
}

// addSources adds the objects and the artifacts at their versions.
func (s *Service) addSources(ctx context.Context, p Packet, to files) error {
	held, err := s.held(ctx, p)
	if err != nil {
		return err
	}
	for _, o := range p.carried() {
		h, ok := held[o.key()]
		if !ok || h.digest != o.Digest {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "%s %s is not held any longer as the packet has it", o.Kind, ctxmcp.Clip(o.ID, ctxmcp.MaxIDLength)).
				WithHint("verify_context says what else is different")
		}
		if h.content == nil {
			if h.content, err = s.bytes(ctx, o.Digest); err != nil {
				return err
			}
		}
		to[o.path()] = h.content
	}
	return nil
}

// carried are the sources whose bytes are in a bundle, with what was derived.
func (p Packet) carried() []Source {
	list := slices.DeleteFunc(slices.Clone(p.Sources), func(o Source) bool { return o.Kind == OutsideSource })
	for _, d := range p.Derived {
		list = append(list, d.source())
	}
	return list
}

// path returns where the bytes of a source stand in a bundle.
func (o Source) path() string {
	if o.Kind == ObjectSource {
		return objectFolder + bare(o.Digest) + ".json"
	}
	return bytesFolder + bare(o.Digest)
}

// pack writes the files as a tar in the order of their paths, the manifest first. Nothing in it depends on when, where or by
// whom it is written.
func (f files) pack(ctx context.Context, ref string) ([]byte, error) {
	m := Manifest{Format: BundleFormat, FormatVersion: BundleVersion, Ref: ref}
	for path, content := range f {
		if path != manifestFile {
			m.Files = append(m.Files, File{path, len(content), ctxmcp.DigestRef(content)})
		}
	}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	manifest, err := Canonical(ctx, m)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	write := func(path string, content []byte) {
		if err == nil {
			err = w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: path, Size: int64(len(content)), Mode: 0o644, Format: tar.FormatUSTAR})
		}
		if err == nil {
			_, err = w.Write(content)
		}
	}
	write(manifestFile, manifest)
	for _, file := range m.Files {
		write(file.Path, f[file.Path])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("write the bundle: %w", err)
	}
	return out.Bytes(), nil
}
