package directives

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// during reads while ctx lasts.
type during struct {
	ctx context.Context
	io.Reader
}

func (d during) Read(into []byte) (int, error) {
	if err := d.ctx.Err(); err != nil {
		return 0, err
	}
	return d.Reader.Read(into)
}

// folders lists folders while ctx lasts: one can have more entries than anybody waits for.
type folders struct {
	fs.FS
	ctx context.Context
}

// entriesAtOnce is the number of entries of a folder that are read between two looks at the context.
const entriesAtOnce = 1000

// ReadDir implements fs.ReadDirFS.
func (f folders) ReadDir(name string) ([]fs.DirEntry, error) {
	opened, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	folder, is := opened.(fs.ReadDirFile)
	if !is {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.ErrUnsupported}
	}
	var all []fs.DirEntry
	for {
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		some, err := folder.ReadDir(entriesAtOnce)
		all = append(all, some...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return all, err
		}
	}
	return all, ijson.SortDuring(f.ctx, all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
}
