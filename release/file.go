package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"time"
)

// file is a file or, with a name that ends with a slash, a folder of a package.
type file struct {
	name string
	mode int64 // permissions
	body []byte
	id   int // of the account and the group that it belongs to
}

// program and document are the modes of most files.
const (
	program  = 0o755
	document = 0o644
)

// tarOf returns files in the form of tar, of which nothing tells who made it, or when but for the given time.
func tarOf(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.body)), ModTime: at.UTC(), Uid: f.id, Gid: f.id, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("archive %s: %w", f.name, err)
		}
		if _, err := w.Write(f.body); err != nil {
			return nil, fmt.Errorf("archive %s: %w", f.name, err)
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// gzipped returns content compressed, without a name or a time.
func gzipped(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if _, err := w.Write(content); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	err = w.Close()
	return out.Bytes(), err
}

func tarball(files []file, at time.Time) ([]byte, error) {
	raw, err := tarOf(files, at)
	if err != nil {
		return nil, err
	}
	return gzipped(raw)
}

// zipOf returns files in the form of zip.
func zipOf(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(modeOf(f))
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, fmt.Errorf("archive %s: %w", f.name, err)
		}
		if _, err := to.Write(f.body); err != nil {
			return nil, fmt.Errorf("archive %s: %w", f.name, err)
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
