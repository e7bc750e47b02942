package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/ctx-mcp/ctx-mcp"
)

// backupSuffix is what the name of a file's backup ends with.
const backupSuffix = ".before-ctx-mcp"

// Change is what becomes of one file. Nothing is written before Write.
type Change struct {
	Path   string // as the client knows it
	Real   string // the file that Path leads to, another one if Path is a link
	Before string
	After  string
	Backup string // the path of the backup, "" if none is written or used

	existed bool
	remove  bool // the file was made by connect, and goes again
	undo    bool // the backup goes once the file is written
	saved   string
	mode    fs.FileMode
}

// None reports whether there is nothing to do.
func (ch Change) None() bool { return ch.Before == ch.After && !ch.remove }

// Removes reports whether the file goes, because connect made it.
func (ch Change) Removes() bool { return ch.remove }

// New reports whether there was no file.
func (ch Change) New() bool { return !ch.existed }

// Connect returns the change that puts the server into the client's file of a scope. The errors are those of Entry, and say which file is
// broken and where.
func (p Place) Connect(c Client, s Scope, server Server) (Change, error) {
	ch, err := p.open(c, s)
	if err != nil {
		return ch, err
	}
	entry, err := c.Entry(server)
	if err != nil {
		return ch, err
	}
	if ch.After, err = revise(c.format, ch.Before, c.edit(entry)); err != nil {
		return ch, ch.about(err)
	}
	if ch.None() {
		return ch, nil
	}
	ch.Backup, ch.saved = ch.Real+backupSuffix, ch.Before
	if exists(ch.Backup) { // connected before: the backup is what Undo would bring back now
		was, err := c.undone(ch)
		if err != nil {
			return ch, ch.about(err)
		}
		ch.saved = was.After
	}
	return ch, nil
}

// Undo returns the change that takes the server out of the client's file: back to the bytes of before where only Connect has changed it since.
func (p Place) Undo(c Client, s Scope) (Change, error) {
	ch, err := p.open(c, s)
	if err != nil {
		return ch, err
	}
	ch, err = c.undone(ch)
	return ch, ch.about(err)
}

// open reads the client's file.
func (p Place) open(c Client, s Scope) (ch Change, err error) {
	ch.Path = p.File(c, s)
	if ch.Path == "" {
		other := map[Scope]Scope{User: Project, Project: User}[s]
		return ch, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s has no file for a %s", c.Title, s).WithHint("use --for %s", other)
	}
	ch.mode = map[Scope]fs.FileMode{User: 0o600, Project: 0o644}[s]
	ch.Real = ch.Path
	if real, err := filepath.EvalSymlinks(ch.Path); err == nil {
		ch.Real = real
	} else if info, err := os.Lstat(ch.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return ch, ctxmcp.Errorf(ctxmcp.CodeConflict, "%s is a link to nothing", ch.Path).WithHint("mend or remove the link")
	}
	info, err := os.Stat(ch.Real)
	if errors.Is(err, fs.ErrNotExist) {
		return ch, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return ch, ctxmcp.Errorf(ctxmcp.CodeConflict, "%s is no file", ch.Real)
	}
	if err != nil {
		return ch, err
	}
	text, err := os.ReadFile(ch.Real)
	ch.existed, ch.mode, ch.Before, ch.After = true, info.Mode().Perm(), string(text), string(text)
	return ch, err
}

// about says which file an error is about.
func (ch Change) about(err error) error {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		return ctxmcp.Errorf(e.Code, "%s: %s", ch.Path, e.Message).WithHint("%s", e.Hint)
	}
	return err
}

// undone returns the change that takes the entry out. An entry that the backup has comes back.
func (c Client) undone(ch Change) (Change, error) {
	ch.After = ch.Before
	values, err := c.format.read(bodyOf(ch.Before))
	if err != nil {
		return ch, err
	}
	now, there := find(values, c.edit(nil))
	if !there {
		return ch, nil
	}
	saved, err := os.ReadFile(ch.Real + backupSuffix)
	if err != nil {
		ch.After, err = revise(c.format, ch.Before, c.edit(nil))
		return ch, err
	}
	ch.Backup, ch.undo = ch.Real+backupSuffix, true
	old, err := c.format.read(bodyOf(string(saved)))
	if err != nil {
		return ch, err
	}
	if again, err := revise(c.format, string(saved), c.edit(now)); err == nil && c.same(again, ch.Before) {
		ch.After, ch.remove = string(saved), len(saved) == 0
		return ch, nil
	}
	earlier, _ := find(old, c.edit(nil))
	ch.After, err = revise(c.format, ch.Before, c.edit(earlier))
	return ch, err
}

// same reports whether two texts are one but for the order in which the fields of the entry are written.
func (c Client) same(a, b string) bool {
	if a == b {
		return true
	}
	rest := func(text string) string { out, _ := revise(c.format, text, c.edit(Fields{{"name", Name}})); return out }
	left, errLeft := c.format.read(bodyOf(a))
	right, errRight := c.format.read(bodyOf(b))
	return errLeft == nil && errRight == nil && reflect.DeepEqual(left, right) && rest(a) == rest(b)
}

func bodyOf(text string) string { _, body := cutMark(text); return body }

// Write makes the change: the backup first, then the file, whole or not at all. It fails with conflict if the file has changed since it was
// read.
func (ch Change) Write() error {
	if ch.None() {
		return nil
	}
	now, err := os.ReadFile(ch.Real)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(now) != ch.Before || (err == nil) != ch.existed {
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "%s was changed meanwhile", ch.Path).WithHint("run the command again")
	}
	if err := os.MkdirAll(filepath.Dir(ch.Real), 0o755); err != nil {
		return err
	}
	if ch.Backup != "" && !ch.undo {
		if err := replace(ch.Backup, ch.saved, ch.mode); err != nil {
			return fmt.Errorf("write the backup: %w", err)
		}
	}
	if ch.remove {
		err = os.Remove(ch.Real)
	} else {
		err = replace(ch.Real, ch.After, ch.mode)
	}
	if err == nil && ch.undo {
		err = os.Remove(ch.Backup)
	}
	return err
}

// replace writes a file whole or not at all, with the permissions.
func replace(path, text string, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
