package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// backupSuffix ends the name of a file's backup.
const backupSuffix = ".before-ctx-mcp"

// Change is the change of one file. Nothing is written before Write.
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

// Connect returns the changes that put the server, and hooks if there are some, into the client's files of a scope: one for each file. The
// errors are those of Entry, and say which file is broken and where.
// Servers that stand behind the gateway are taken out of them.
func (p Place) Connect(c Client, s Scope, server Server, hooks *Hooks, behind *Behind) ([]Change, error) {
	entry, err := c.Entry(server)
	if err != nil {
		return nil, err
	}
	files, err := p.files(c, s, entry, hooks, behind)
	if err != nil {
		return nil, err
	}
	return s.each(files, func(f file, ch Change) (Change, error) {
		var err error
		if ch.After, err = reviseAll(f.format, ch.Before, f.edits); err != nil || ch.None() {
			return ch, err
		}
		ch.Backup, ch.saved = ch.Real+backupSuffix, ch.Before
		if exists(ch.Backup) { // connected before: the backup is what Undo would bring back now
			if f.before != nil {
				f.edits = f.before
			}
			was, err := f.undone(ch)
			if err != nil {
				return ch, err
			}
			ch.saved = was.After
		}
		return ch, nil
	})
}

// Undo returns the changes that take the server and the hooks out of the client's files: back to the bytes of before where only Connect has
// changed a file since. hooks names the events that may have been installed, and behind the
// servers that come back.
func (p Place) Undo(c Client, s Scope, hooks *Hooks, behind *Behind) ([]Change, error) {
	if !c.HasHooks() {
		hooks = nil
	}
	files, err := p.files(c, s, nil, hooks, behind)
	if err != nil {
		return nil, err
	}
	return s.each(files, func(f file, ch Change) (Change, error) { return f.undone(ch) })
}

// each reads the files and returns their changes.
func (s Scope) each(files []file, do func(file, Change) (Change, error)) ([]Change, error) {
	var all []Change
	for _, f := range files {
		ch, err := s.open(f.path)
		if f.runs && !ch.existed {
			ch.mode |= 0o111 & (ch.mode >> 2) // who may read it may run it
		}
		if err == nil {
			ch, err = do(f, ch)
		}
		if err != nil {
			return nil, ch.about(err)
		}
		all = append(all, ch)
	}
	return all, nil
}

// open reads a file. A link is followed.
func (s Scope) open(path string) (ch Change, err error) {
	ch.Path, ch.Real = path, path
	ch.mode = map[Scope]fs.FileMode{User: 0o600, Project: 0o644}[s]
	if real, err := filepath.EvalSymlinks(path); err == nil {
		ch.Real = real
	} else if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return ch, ctxmcp.Errorf(ctxmcp.CodeConflict, "it is a link to nothing").WithHint("mend or remove the link")
	}
	info, err := os.Stat(ch.Real)
	if errors.Is(err, fs.ErrNotExist) {
		return ch, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return ch, ctxmcp.Errorf(ctxmcp.CodeConflict, "it is no file")
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

// undone returns the change that takes the entries out. Those that the backup has come back.
func (f file) undone(ch Change) (Change, error) {
	ch.After = ch.Before
	now, some, err := f.held(ch.Before)
	if err != nil || !some {
		return ch, err
	}
	saved, err := os.ReadFile(ch.Real + backupSuffix)
	if err != nil {
		ch.After, err = reviseAll(f.format, ch.Before, f.with(nil))
		return ch, err
	}
	ch.Backup, ch.undo = ch.Real+backupSuffix, true
	earlier, _, err := f.held(string(saved))
	if err != nil {
		return ch, err
	}
	if again, err := reviseAll(f.format, string(saved), f.with(now)); err == nil && f.same(again, ch.Before) {
		ch.After, ch.remove = string(saved), len(saved) == 0
		return ch, nil
	}
	ch.After, err = reviseAll(f.format, ch.Before, f.with(earlier))
	return ch, err
}

// held returns the values of the entries in a text, nil for one that is not there, and whether there are some.
func (f file) held(text string) (values []any, some bool, err error) {
	all, err := f.format.read(bodyOf(text))
	if err != nil {
		return nil, false, err
	}
	for _, e := range f.edits {
		v, there := find(all, e)
		values, some = append(values, v), some || there
	}
	return values, some, nil
}

// with returns the edits that give the entries the values; without values they take them out.
func (f file) with(values []any) []edit {
	edits := slices.Clone(f.edits)
	for i := range edits {
		edits[i].want = nil
		if values != nil {
			edits[i].want = values[i]
		}
	}
	return edits
}

// same reports whether two texts are one but for the order in which the fields of the entries are written.
func (f file) same(a, b string) bool {
	if a == b {
		return true
	}
	left, errLeft := f.format.read(bodyOf(a))
	right, errRight := f.format.read(bodyOf(b))
	return errLeft == nil && errRight == nil && reflect.DeepEqual(left, right) && slices.Equal(signs(a), signs(b))
}

// signs returns the bytes of a text in order, but for spaces: two texts with the same values and the same signs differ in nothing but the order
// of fields.
func signs(text string) []byte {
	all := []byte(strings.Join(strings.Fields(text), ""))
	slices.Sort(all)
	return all
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
