package release

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"strings"
)

// debianPackage returns a package of dpkg's format 2.0: an ar archive with the version of the format, what is said of the package, and its files.
func debianPackage(p Product, b Built) (Artifact, error) {
	files := []file{
		{name: "./usr/", mode: program}, {name: "./usr/bin/", mode: program}, {name: "./usr/bin/ctx-mcp", mode: program, body: b.Program},
		{name: "./usr/share/", mode: program}, {name: "./usr/share/doc/", mode: program}, {name: "./usr/share/doc/ctx-mcp/", mode: program},
		{name: "./usr/share/doc/ctx-mcp/copyright", mode: document, body: p.Documents["LICENSE"]},
		{name: "./usr/share/doc/ctx-mcp/NOTICE", mode: document, body: p.Documents["NOTICE"]},
	}
	if len(p.Manual) > 0 {
		files = append(files, file{name: "./usr/share/man/", mode: program}, file{name: "./usr/share/man/man1/", mode: program})
	}
	for _, name := range sorted(p.Manual) {
		page, err := squeezed(p.Manual[name])
		if err != nil {
			return Artifact{}, err
		}
		files = append(files, file{name: "./usr/share/man/man1/" + name + ".gz", mode: document, body: page})
	}
	size, sums := 0, ""
	for _, f := range files {
		if strings.HasSuffix(f.name, "/") {
			continue
		}
		size += len(f.body)
		sums += fmt.Sprintf("%x  %s\n", md5.Sum(f.body), strings.TrimPrefix(f.name, "./")) // the digest that dpkg takes; it guards against accidents alone
	}
	version := debianVersion(p.Version)
	control := fmt.Sprintf("Package: ctx-mcp\nVersion: %s\nArchitecture: %s\nMaintainer: ctx-mcp <ctx-mcp@users.noreply.github.com>\nInstalled-Size: %d\n"+
		"Section: utils\nPriority: optional\nHomepage: %s\nDescription: %s\n", version, b.Arch, (size+1023)/1024, homepage, summary)
	about, err := tarball([]file{{name: "./control", mode: document, body: []byte(control)}, {name: "./md5sums", mode: document, body: []byte(sums)}}, p.Time)
	if err != nil {
		return Artifact{}, err
	}
	content, err := tarball(files, p.Time)
	if err != nil {
		return Artifact{}, err
	}
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, m := range []file{{name: "debian-binary", body: []byte("2.0\n")}, {name: "control.tar.gz", body: about}, {name: "data.tar.gz", body: content}} {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, p.Time.Unix(), 0, 0, "100644", len(m.body))
		out.Write(m.body)
		if len(m.body)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return Artifact{fmt.Sprintf("ctx-mcp_%s_%s.deb", version, b.Arch), out.Bytes()}, nil
}

// squeezed compresses a page as Debian wants it: the best that gzip does, without a name or a time.
func squeezed(page []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(page); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// debianVersion writes a version so that dpkg sorts what comes before a release before it.
func debianVersion(version string) string { return strings.Replace(version, "-", "~", 1) }
