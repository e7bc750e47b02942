package keyring

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// HeadFile keeps the last signed head of a log in a file beside the database, so that a database that was put back by
// itself is noticed. It is no protection from somebody who can put back the whole directory.
type HeadFile string

var _ receipts.Witness = HeadFile("")

// Last implements receipts.Witness.
func (f HeadFile) Last() ([]byte, error) {
	text, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// Keep implements receipts.Witness. The file is whole at any time; after a loss of power it may be some heads old, which
// only means that less is noticed.
func (f HeadFile) Keep(head []byte) error {
	if err := os.MkdirAll(filepath.Dir(string(f)), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(string(f)), "head.*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(head)
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), string(f))
}
