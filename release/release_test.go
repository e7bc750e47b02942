package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// made returns a release for every target.
func made(t *testing.T) []Artifact {
	t.Helper()
	return madeFor(t, func(Target) bool { return true })
}

// madeFor returns a release whose program for each target that fits is a script that tells the version.
func madeFor(t *testing.T, fits func(Target) bool) []Artifact {
	t.Helper()
	modules := &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "example.org/m", Version: "v1.0.0", Sum: "h1:" + base64.StdEncoding.EncodeToString(make([]byte, 32))}}}
	var built []Built
	for _, target := range Targets() {
		if fits(target) {
			built = append(built, Built{target, []byte("#!/bin/sh\necho ctx-mcp 1.2.3-rc.1\n"), modules})
		}
	}
	p := Product{
		Version: "1.2.3-rc.1", Base: "https://example.org/v1.2.3-rc.1", Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Certificates: []byte("roots"),
		Documents: map[string][]byte{"LICENSE": []byte("license"), "NOTICE": []byte("notice"), "README.md": []byte("# ctx-mcp")},
		Manual:    map[string][]byte{"ctx-mcp.1": []byte(".TH CTX-MCP 1\n")},
		Tools:     []Described{{"recall", "Search memory."}},
	}
	all, err := Make(p, built)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// named returns the one file whose name matches a pattern.
func named(t *testing.T, all []Artifact, pattern string) Artifact {
	t.Helper()
	for _, a := range all {
		if ok, err := filepath.Match(pattern, a.Name); err == nil && ok {
			return a
		}
	}
	t.Fatalf("the release has no %s", pattern)
	return Artifact{}
}

// TestReproducible: the same binaries, version and time make the same bytes, and the digests name every file but their own.
func TestReproducible(t *testing.T) {
	first, second := made(t), made(t)
	sums := string(named(t, first, SumsName).Body)
	for i, a := range first {
		if !bytes.Equal(a.Body, second[i].Body) {
			t.Errorf("%s differs from run to run", a.Name)
		}
		if a.Name != SumsName && !strings.Contains(sums, digest(a.Body)+"  "+a.Name+"\n") {
			t.Errorf("%s does not name %s by its digest", SumsName, a.Name)
		}
	}
	if lines := strings.Count(sums, "\n"); lines != len(first)-1 {
		t.Errorf("%s has %d lines for %d files", SumsName, lines, len(first)-1)
	}
}

// unpacked returns the files of a tarball, compressed or not.
func unpacked(t *testing.T, body []byte) map[string]*tar.Header {
	t.Helper()
	var from io.Reader = bytes.NewReader(body)
	if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
		from = z
	}
	found := map[string]*tar.Header{}
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = h
	}
}

// TestPrograms: every form holds the program where its installer looks for it, ready to run.
func TestPrograms(t *testing.T) {
	all := made(t)
	for _, tt := range []struct{ pattern, path string }{
		{"*-linux-amd64.tar.gz", "ctx-mcp-1.2.3-rc.1-linux-amd64/ctx-mcp"}, {"*-npm-linux-arm64.tgz", "package/bin/ctx-mcp"},
	} {
		h := unpacked(t, named(t, all, tt.pattern).Body)[tt.path]
		if h == nil || h.Mode != program || h.Uid != 0 || !h.ModTime.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
			t.Errorf("%s: %s is %+v", tt.pattern, tt.path, h)
		}
	}
	for _, pattern := range []string{"*-windows-amd64.zip", "*-linux-amd64.mcpb"} {
		body := named(t, all, pattern).Body
		r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range r.File {
			found = found || strings.Contains(f.Name, "/ctx-mcp") && f.Mode().Perm() == program
		}
		if !found {
			t.Errorf("%s has no program", pattern)
		}
	}
}

// TestDebian: dpkg reads the package, where it is installed.
func TestDebian(t *testing.T) {
	deb := named(t, made(t), "ctx-mcp_1.2.3~rc.1_amd64.deb")
	if !bytes.HasPrefix(deb.Body, []byte("!<arch>\ndebian-binary   ")) {
		t.Errorf("%s begins with %q", deb.Name, deb.Body[:24])
	}
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("dpkg-deb is not installed")
	}
	path := filepath.Join(t.TempDir(), deb.Name)
	if err := os.WriteFile(path, deb.Body, 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), "dpkg-deb", "--info", path).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "Version: 1.2.3~rc.1") {
		t.Errorf("dpkg-deb --info = %v\n%s", err, said)
	}
	said, err = exec.CommandContext(t.Context(), "dpkg-deb", "--contents", path).CombinedOutput()
	if err != nil || !regexp.MustCompile(`-rwxr-xr-x (root/root|0/0) .* ./usr/bin/ctx-mcp`).Match(said) {
		t.Errorf("dpkg-deb --contents = %v\n%s", err, said)
	}
	if !strings.Contains(string(said), "./usr/share/man/man1/ctx-mcp.1.gz") {
		t.Errorf("the package has no manual:\n%s", said)
	}
}

// TestServerEntry holds server.json against the schema of the registry, version 1.8.7.
func TestServerEntry(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/server.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(named(t, made(t), "server.json").Body))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("server.json: %v", err)
	}
}

// TestImage: every blob is named by its digest, every reference is held, and the image runs as nobody in particular.
func TestImage(t *testing.T) {
	files := map[string][]byte{}
	r := tar.NewReader(bytes.NewReader(named(t, made(t), "*-oci.tar").Body))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	blob := func(d descriptor) []byte {
		body := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if "sha256:"+digest(body) != d.Digest || len(body) != d.Size {
			t.Fatalf("the blob %s is not held", d.Digest)
		}
		return body
	}
	read := func(raw []byte, into any) {
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatal(err)
		}
	}
	var index struct{ Manifests []descriptor }
	read(files["index.json"], &index)
	if len(index.Manifests) != 2 {
		t.Fatalf("the image has %d platforms, want 2", len(index.Manifests))
	}
	for _, m := range index.Manifests {
		var manifest struct {
			Config descriptor
			Layers []descriptor
		}
		read(blob(m), &manifest)
		var config struct {
			Architecture string
			Config       struct{ User string }
		}
		read(blob(manifest.Config), &config)
		if config.Architecture != m.Platform.Architecture || config.Config.User != fmt.Sprintf("%d:%d", user, user) {
			t.Errorf("the configuration for %s is %+v", m.Platform.Architecture, config)
		}
		inside := unpacked(t, blob(manifest.Layers[0]))
		if data := inside["data/"]; data == nil || data.Uid != user || inside["ctx-mcp"] == nil || inside["ctx-mcp"].Uid != 0 {
			t.Errorf("the layer for %s holds %v", m.Platform.Architecture, inside)
		}
	}
}

// TestNoEmptyImage: a release without a binary for Linux has no image.
func TestNoEmptyImage(t *testing.T) {
	for _, a := range madeFor(t, func(target Target) bool { return target.OS != "linux" }) {
		if strings.HasSuffix(a.Name, "-oci.tar") {
			t.Errorf("%s holds the image of no platform", a.Name)
		}
	}
}

// TestInstaller: the script installs the archive whose digest it has checked, and nothing otherwise.
func TestInstaller(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("the script is for the archives of Linux and macOS")
	}
	from, prefix := t.TempDir(), t.TempDir()
	all := made(t)
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	signature, key, err := Sign(named(t, all, SumsName), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
	if err != nil || !ed25519.Verify(public, named(t, all, SumsName).Body, signature.Body) {
		t.Fatalf("the signature is wrong: %v", err)
	}
	for _, a := range append(all, signature, key) {
		if err := os.WriteFile(filepath.Join(from, a.Name), a.Body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install := func(more ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "sh", "install.sh")
		cmd.Env = append(append(os.Environ(), "CTX_MCP_FROM="+from, "PREFIX="+prefix), more...)
		said, err := cmd.CombinedOutput()
		return string(said), err
	}
	if said, err := install(); err != nil || !strings.Contains(said, "installed ctx-mcp 1.2.3-rc.1") {
		t.Fatalf("install.sh = %v\n%s", err, said)
	}
	if _, err := exec.LookPath("openssl"); err == nil {
		if said, err := install("CTX_MCP_KEY=" + filepath.Join(from, key.Name)); err != nil {
			t.Errorf("install.sh with the key = %v\n%s", err, said)
		}
		sums := filepath.Join(from, SumsName)
		if err := os.WriteFile(sums, append(named(t, all, SumsName).Body, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := install("CTX_MCP_KEY=" + filepath.Join(from, key.Name)); err == nil || !strings.Contains(said, "not signed by") {
			t.Errorf("install.sh of digests that nobody signed = %v\n%s", err, said)
		}
	}
	archive := named(t, all, "*-linux-"+runtime.GOARCH+".tar.gz")
	if err := os.WriteFile(filepath.Join(from, archive.Name), archive.Body[:len(archive.Body)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(prefix, "bin", "ctx-mcp")); err != nil {
		t.Fatal(err)
	}
	if said, err := install(); err == nil || !strings.Contains(said, "nothing was installed") {
		t.Errorf("install.sh of another archive = %v\n%s", err, said)
	}
	if _, err := os.Stat(filepath.Join(prefix, "bin", "ctx-mcp")); err == nil {
		t.Error("an archive with another digest was installed")
	}
}
