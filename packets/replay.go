package packets

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Replayed is the report on a bundle.
type Replayed struct {
	Ref         string // that the bundle says it is of
	Checks      []Check
	Differences []Difference // of the output
}

// Check is one thing that was proved, or not.
type Check struct {
	Name   string
	OK     bool
	Detail string
}

// Valid reports whether everything was proved.
func (r Replayed) Valid() bool {
	return !slices.ContainsFunc(r.Checks, func(c Check) bool { return !c.OK })
}

// Replayer proves bundles. It needs nothing of the installation that wrote them.
type Replayer struct {
	Recompilers map[Kind]Recompiler
	// Receipt proves a receipt by its own signature; nil: receipts are listed and not proved.
	Receipt func(json.RawMessage) error
}

// replaying is a bundle on its way through the checks.
type replaying struct {
	Replayer
	ctx      context.Context
	raw      []byte
	files    files
	manifest Manifest
	packet   Packet
	report   *Replayed
}

// checks are the proofs of a bundle, in this order: each counts on those before it, so the first that fails is the last.
var checks = []struct {
	name, doc string
	run       func(*replaying) (detail string, err error)
}{
	{"form", "the tar is, byte for byte, as a bundle of these files is written", (*replaying).form},
	{"manifest", "the manifest lists every file with its digest, and no other", (*replaying).listed},
	{"reference", "the packet is in canonical form, and its digest is the context_ref", (*replaying).reference},
	{"created", "the instant of the packet can be read; nothing but the output depends on it", (*replaying).created},
	{"policy", "the policy has the digest that the packet names", (*replaying).policy},
	{"sources", "every object and artifact is there with the digest that the packet names, and nothing else", (*replaying).sources},
	{"trace", "the trace is that of the packet's output", (*replaying).trace},
	{"receipts", "the receipts can be read, and hold", (*replaying).receipts},
	{"output", "the inputs compile to the same output", (*replaying).output},
}

// Replay proves a bundle. A difference is in the report, and no error.
func (r Replayer) Replay(ctx context.Context, bundle []byte) (Replayed, error) {
	var report Replayed
	on := &replaying{Replayer: r, ctx: ctx, raw: bundle, report: &report}
	for _, c := range checks {
		detail, err := c.run(on)
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		if err != nil {
			detail = err.Error()
		}
		report.Checks = append(report.Checks, Check{c.name, err == nil, detail})
		if err != nil {
			break
		}
	}
	return report, nil
}

// form reads the tar and writes it again: bytes that differ the second time were changed.
func (r *replaying) form() (string, error) {
	r.files = files{}
	t := tar.NewReader(bytes.NewReader(r.raw))
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", errors.New("this is not a tar")
		}
		content, err := io.ReadAll(t)
		if err != nil {
			return "", fmt.Errorf("%q is cut off", ctxmcp.Clip(h.Name, ctxmcp.MaxIDLength))
		}
		r.files[h.Name] = content
	}
	if err := strict(r.files[manifestFile], &r.manifest); err != nil {
		return "", errors.New("there is no manifest that can be read")
	}
	if m := r.manifest; m.Format != BundleFormat || m.FormatVersion != BundleVersion {
		return "", fmt.Errorf("the bundle has the format %q in version %d; this program reads %s in version %d",
			ctxmcp.Clip(m.Format, ctxmcp.MaxIDLength), m.FormatVersion, BundleFormat, BundleVersion)
	}
	r.report.Ref = ctxmcp.Clip(r.manifest.Ref, ctxmcp.MaxIDLength)
	again, err := r.files.pack(r.ctx, r.manifest.Ref)
	if err != nil {
		return "", err
	}
	if at := firstDifference(r.raw, again); at >= 0 {
		return "", fmt.Errorf("byte %d is not as a bundle of these files is written (%s)", at, r.culprit())
	}
	return fmt.Sprintf("%d files, %d bytes", len(r.files), len(r.raw)), nil
}

// culprit names the file that has another digest than the manifest says, to tell what was changed.
func (r *replaying) culprit() string {
	for _, f := range r.manifest.Files {
		if content, ok := r.files[f.Path]; !ok || ctxmcp.DigestRef(content) != f.Digest {
			return f.Path
		}
	}
	return "the tar or its manifest"
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

// strict reads JSON that has no field beyond those of v.
func strict(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func (r *replaying) listed() (string, error) {
	known := files{manifestFile: r.files[manifestFile]}
	for _, f := range r.manifest.Files {
		content, ok := r.files[f.Path]
		if !ok || len(content) != f.Size || ctxmcp.DigestRef(content) != f.Digest {
			return "", fmt.Errorf("%q is not what the manifest says", ctxmcp.Clip(f.Path, ctxmcp.MaxIDLength))
		}
		known[f.Path] = content
	}
	if len(known) != len(r.files) {
		return "", errors.New("a file is not in the manifest")
	}
	return fmt.Sprintf("%d digests", len(r.manifest.Files)), nil
}

func (r *replaying) reference() (string, error) {
	raw := r.files[packetFile]
	if got := ctxmcp.DigestRef(raw); got != r.manifest.Ref {
		return "", fmt.Errorf("the packet's digest is %s", got)
	}
	var err error
	r.packet, err = Parse(r.ctx, raw)
	return r.manifest.Ref, err
}

// created reads the instant of the packet, which is no part of what the reference names.
func (r *replaying) created() (string, error) {
	if r.packet.FormatVersion > datedVersion {
		raw := r.files[createdFile]
		if err := strict(raw, &r.packet.Created); err != nil || r.packet.Created.IsZero() {
			return "", errors.New("there is no instant that can be read")
		}
		if again, err := Canonical(r.ctx, r.packet.Created); err != nil || !bytes.Equal(again, raw) {
			return "", errors.New("the instant is not in canonical form")
		}
	}
	return r.packet.Created.Format(time.RFC3339Nano), nil
}

func (r *replaying) policy() (string, error) {
	content, ok := r.files[policyFile]
	switch want := r.packet.PolicyDigest; {
	case !ok && want == "":
		return "none", nil
	case !ok || ctxmcp.DigestRef(content) != want:
		return "", fmt.Errorf("the packet names the policy %q", want)
	default:
		return want, nil
	}
}

func (r *replaying) sources() (string, error) {
	expected := map[string]bool{manifestFile: true, packetFile: true, receiptsFile: true}
	if r.packet.FormatVersion > datedVersion {
		expected[createdFile] = true
	}
	if r.packet.PolicyDigest != "" {
		expected[policyFile] = true
	}
	if traceOf(r.packet) != nil {
		expected[traceFile] = true
	}
	carried := r.packet.carried()
	for _, o := range carried {
		content, ok := r.files[o.path()]
		if !ok || ctxmcp.DigestRef(content) != o.Digest {
			return "", fmt.Errorf("%s %s is missing", o.Kind, ctxmcp.Clip(o.ID, ctxmcp.MaxIDLength))
		}
		expected[o.path()] = true
	}
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		if !expected[path] {
			return "", fmt.Errorf("%q belongs to no source", ctxmcp.Clip(path, ctxmcp.MaxIDLength))
		}
	}
	return fmt.Sprintf("%d with bytes, %d by digest alone", len(carried), len(r.packet.Sources)+len(r.packet.Derived)-len(carried)), nil
}

func (r *replaying) trace() (string, error) {
	if !bytes.Equal(traceOf(r.packet), r.files[traceFile]) {
		return "", errors.New("it is another one")
	}
	if r.files[traceFile] == nil {
		return "none", nil
	}
	return fmt.Sprintf("%d bytes", len(r.files[traceFile])), nil
}

func (r *replaying) receipts() (string, error) {
	var list []json.RawMessage
	if err := strict(r.files[receiptsFile], &list); err != nil {
		return "", errors.New("they cannot be read")
	}
	if again, err := Canonical(r.ctx, list); err != nil || !bytes.Equal(again, r.files[receiptsFile]) {
		return "", errors.New("they are not in canonical form")
	}
	for i, receipt := range list {
		if r.Receipt == nil {
			return fmt.Sprintf("%d, not proved", len(list)), nil
		}
		if err := r.Receipt(receipt); err != nil {
			return "", fmt.Errorf("receipt %d does not hold", i)
		}
	}
	return fmt.Sprintf("%d", len(list)), nil
}

func (r *replaying) output() (string, error) {
	ref, found, err := remake(r.ctx, r.packet, r.Recompilers)
	if err != nil {
		return "", err
	}
	r.report.Differences = found
	if ref != r.manifest.Ref {
		return "", fmt.Errorf("the output differs in %d places", len(found))
	}
	return fmt.Sprintf("%d bytes, the same", len(r.packet.Output)), nil
}
