package packets_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

func (b *bench) bundle(t *testing.T, ref string) []byte {
	t.Helper()
	raw, err := b.Bundle(t.Context(), ann, ref)
	if err != nil {
		t.Fatalf("Bundle: %v", err)
	}
	return raw
}

// abroad proves bundles where the data has never been.
var abroad = packets.Replayer{Recompilers: map[packets.Kind]packets.Recompiler{packets.Compile: loud{}}}

func replay(t *testing.T, r packets.Replayer, raw []byte) packets.Replayed {
	t.Helper()
	report, err := r.Replay(context.Background(), raw)
	if err != nil {
		t.Fatalf("Replay: %v", err)
	}
	return report
}

// TestReplay: a bundle proves itself without the installation that wrote it, and has the same bytes each time.
func TestReplay(t *testing.T) {
	b := newBench(t)
	sealed := b.seal(t, b.draft(t, "tea"))
	raw := b.bundle(t, sealed.Ref)
	if again := b.bundle(t, "tr-1"); !bytes.Equal(raw, again) {
		t.Error("the same packet has two bundles")
	}
	report := replay(t, abroad, raw)
	if !report.Valid() || report.Ref != sealed.Ref || len(report.Checks) != 9 {
		t.Errorf("Replay = %+v", report)
	}
	changed := packets.Replayer{Recompilers: map[packets.Kind]packets.Recompiler{packets.Compile: loud{"!"}}}
	report = replay(t, changed, raw)
	want := []packets.Difference{{Path: "/output/text", Kind: packets.Changed, Want: `"TEA"`, Got: `"TEA!"`}}
	if diff := cmp.Diff(want, report.Differences); diff != "" || report.Valid() {
		t.Errorf("Replay with another compiler: valid %v, differences (-want +got):\n%s", report.Valid(), diff)
	}
}

// TestReplayFlips: whichever byte of a bundle is changed, it is caught.
func TestReplayFlips(t *testing.T) {
	b := newBench(t)
	raw := b.bundle(t, b.seal(t, b.draft(t, "tea")).Ref)
	for i := 0; i < len(raw); i += rounds.Of(5, 1) {
		raw[i] ^= 1
		if report := replay(t, abroad, raw); report.Valid() {
			t.Errorf("byte %d of %d: the change is not seen", i, len(raw))
		}
		raw[i] ^= 1
	}
	for _, other := range [][]byte{nil, raw[:len(raw)-1], raw[:1024], append(slices.Clone(raw), 0), append(slices.Clone(raw), raw...)} {
		if report := replay(t, abroad, other); report.Valid() {
			t.Errorf("a bundle of %d bytes instead of %d passes", len(other), len(raw))
		}
	}
	if !replay(t, abroad, raw).Valid() {
		t.Error("the bundle itself does not pass")
	}
}

// unpack returns the files of a bundle.
func unpack(t *testing.T, raw []byte) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(raw)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// pack writes files as a bundle is written, with a manifest that fits them.
func pack(t *testing.T, ref string, files map[string][]byte) []byte {
	t.Helper()
	delete(files, "manifest.json")
	m := packets.Manifest{Format: packets.BundleFormat, FormatVersion: packets.BundleVersion, Ref: ref}
	var paths []string
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		m.Files = append(m.Files, packets.File{Path: path, Size: len(files[path]), Digest: ctxmcp.DigestRef(files[path])})
	}
	var err error
	if files["manifest.json"], err = packets.Canonical(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, path := range append([]string{"manifest.json"}, paths...) {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: path, Size: int64(len(files[path])), Mode: 0o644, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(files[path]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReplayForgeries: who changes a file and its digest in the manifest too is caught by what names the file.
func TestReplayForgeries(t *testing.T) {
	b := newBench(t)
	ref := b.seal(t, b.draft(t, "tea")).Ref
	raw := b.bundle(t, ref)
	whole := unpack(t, raw)
	if !bytes.Equal(pack(t, ref, whole), raw) {
		t.Fatal("the forger cannot write a bundle")
	}
	forged := map[string]string{"policy.json": "policy", "packet.json": "reference", "trace.json": "trace", "receipts.json": "receipts", "extra.json": "sources", "created.json": "created"}
	for path := range whole {
		if path != "manifest.json" && forged[path] == "" {
			forged[path] = "sources"
		}
	}
	if len(forged) != 8 {
		t.Fatalf("the bundle has the files %v, want an object and an artifact among them", forged)
	}
	for path, want := range forged {
		files := unpack(t, raw)
		files[path] = append(bytes.Clone(files[path]), '!')
		report := replay(t, abroad, pack(t, ref, files))
		if last := report.Checks[len(report.Checks)-1]; report.Valid() || last.Name != want {
			t.Errorf("%s forged: %+v, want the check %s to fail", path, last, want)
		}
	}
}

// signed is a source of receipts with one.
type signed struct{}

func (signed) ReceiptsOf(context.Context, string, string) ([]json.RawMessage, error) {
	return []json.RawMessage{json.RawMessage(`{"signature":"x"}`)}, nil
}

// TestReplayReceipts: receipts travel with the packet and are proved where somebody can.
func TestReplayReceipts(t *testing.T) {
	b := newBench(t)
	b.Receipts = signed{}
	raw := b.bundle(t, b.seal(t, b.draft(t, "tea")).Ref)
	for _, c := range []struct {
		receipt func(json.RawMessage) error
		valid   bool
	}{{nil, true}, {func(json.RawMessage) error { return nil }, true}, {func(json.RawMessage) error { return errors.New("bad") }, false}} {
		r := abroad
		r.Receipt = c.receipt
		if report := replay(t, r, raw); report.Valid() != c.valid {
			t.Errorf("Replay = %+v, want valid %v", report, c.valid)
		}
	}
}
