package release

import (
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"time"
)

// Product holds what all packages of a release share.
type Product struct {
	Version string // semantic, without a v
	// Base is the address under which the files of the release will be found, without a slash at its end.
	Base string
	Time time.Time // of every file; that of the commit
	// Documents are the texts that go with every binary, by their names: LICENSE, NOTICE, README.md.
	Documents map[string][]byte
	// Manual has the manual pages of the commands, by the names of their files.
	Manual map[string][]byte
	// Certificates are the roots that the image trusts, PEM.
	Certificates []byte
	// Tools are the names and the first sentences of the tools that a bundle lists.
	Tools []Described
}

// Described is a name with what it stands for.
type Described struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Built is a binary for a target.
type Built struct {
	Target
	Program []byte
	Modules *debug.BuildInfo // in the program
}

// Artifact is one file of a release.
type Artifact struct {
	Name string
	Body []byte
}

const (
	summary  = "Governed memory and context for AI agents, over MCP"
	homepage = "https://github.com/ctx-mcp/ctx-mcp"
	license  = "Apache-2.0"
)

// packaging is one form of package for one target.
type packaging struct {
	doc  string
	fits func(Target) bool
	make func(Product, Built) (Artifact, error)
}

// packagings lists the forms that every binary is put into.
var packagings = []packaging{
	{"archive", func(Target) bool { return true }, archive},
	{"package for npm, which carries the binary", func(Target) bool { return true }, npmPackage},
	{"bundle for desktop clients", func(Target) bool { return true }, bundle},
	{"package for Debian", func(t Target) bool { return t.OS == "linux" }, debianPackage},
	{"bill of materials", func(Target) bool { return true }, billOfMaterials},
}

// Make returns every file of a release of the binaries but the signature, in the order in which they are made. The last holds the digests of
// all others.
func Make(p Product, built []Built) ([]Artifact, error) {
	var all []Artifact
	add := func(a Artifact, err error) error {
		if err != nil {
			return fmt.Errorf("make %s: %w", a.Name, err)
		}
		all = append(all, a)
		return nil
	}
	for _, b := range built {
		for _, form := range packagings {
			if !form.fits(b.Target) {
				continue
			}
			if err := add(form.make(p, b)); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", b.Name(), form.doc, err)
			}
		}
	}
	if slices.ContainsFunc(built, func(b Built) bool { return b.OS == "linux" }) {
		if err := add(ociImage(p, built)); err != nil {
			return nil, err
		}
	}
	if err := add(formula(p, all)); err != nil {
		return nil, err
	}
	if err := add(serverEntry(p, all)); err != nil {
		return nil, err
	}
	all = append(all, Artifact{"install.sh", installer})
	return append(all, Sums(all)), nil
}

// archive returns the binary with its documents, as a tarball or, for Windows, in a zip file.
func archive(p Product, b Built) (Artifact, error) {
	folder := fmt.Sprintf("ctx-mcp-%s-%s", p.Version, b.Name())
	files := []file{{name: folder + "/" + b.Binary(), mode: program, body: b.Program}}
	for _, name := range sorted(p.Documents) {
		files = append(files, file{name: folder + "/" + name, mode: document, body: p.Documents[name]})
	}
	for _, name := range sorted(p.Manual) {
		files = append(files, file{name: folder + "/man/man1/" + name, mode: document, body: p.Manual[name]})
	}
	if b.OS == "windows" {
		body, err := zipOf(files, p.Time)
		return Artifact{folder + ".zip", body}, err
	}
	body, err := tarball(files, p.Time)
	return Artifact{folder + ".tar.gz", body}, err
}

func modeOf(f file) fs.FileMode { return fs.FileMode(f.mode) }
