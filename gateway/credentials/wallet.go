package credentials

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/ctx-mcp/ctx-mcp"
)

// Sealer seals and opens a field for its place, as vault.Vault does.
type Sealer interface {
	Seal(plain, place []byte) ([]byte, error)
	Open(sealed, place []byte) ([]byte, error)
}

// Wallet is a file of sealed values, which several processes may use.
type Wallet struct {
	Dir    string
	Sealer Sealer // nil: nothing can be kept or read
}

// place is where a value stands. A value that is moved to another place does not open.
type place string

func secretAt(name string) place { return place("secret\x00" + name) }

// Holder says whose sign-in it is: of a user, or of the gateway itself, which are the zero Tenant and User.
type Holder struct{ Tenant, User string }

// SignIn returns the command that signs the holder in to a server.
func (h Holder) SignIn(server string) string {
	command := "ctx-mcp gateway signin " + server
	if h == (Holder{}) {
		command += " --shared"
	}
	return command
}

func grantAt(h Holder, server string) place {
	return place(strings.Join([]string{"sign-in", h.Tenant, h.User, server}, "\x00"))
}

// holders returns the users who have signed in to a server, sorted.
func (w *Wallet) holders(server string) (all []Holder, err error) {
	held, err := w.read()
	for at := range held {
		if parts := strings.Split(string(at), "\x00"); len(parts) == 4 && parts[0] == "sign-in" && parts[3] == server {
			all = append(all, Holder{parts[1], parts[2]})
		}
	}
	slices.SortFunc(all, func(a, b Holder) int {
		return cmp.Or(strings.Compare(a.Tenant, b.Tenant), strings.Compare(a.User, b.User))
	})
	return all, err
}

// SignedInto reports whether anybody has signed in to a server. It needs no key.
func (w *Wallet) SignedInto(server string) bool {
	all, err := w.holders(server)
	return err == nil && len(all) > 0
}

func (w *Wallet) path() string { return filepath.Join(w.Dir, "credentials.json") }

// Stamp changes when the file does; "" where there is none.
func (w *Wallet) Stamp() string {
	info, err := os.Stat(w.path())
	if err != nil {
		return ""
	}
	return info.ModTime().String() + "/" + time.Duration(info.Size()).String()
}

func (w *Wallet) read() (map[place][]byte, error) {
	all := map[place][]byte{}
	text, err := os.ReadFile(w.path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err == nil:
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the credentials of the servers cannot be read").WithCause(err).WithHint("mend or remove %s", w.path())
	}
	return all, nil
}

// get returns a value, and whether there is one. It returns CodeUnavailable for one that cannot be opened.
func (w *Wallet) get(at place) ([]byte, bool, error) {
	all, err := w.read()
	sealed, held := all[at]
	if err != nil || !held {
		return nil, false, err
	}
	if w.Sealer == nil {
		return nil, false, NoKey()
	}
	plain, err := w.Sealer.Open(sealed, []byte(at))
	if err != nil {
		return nil, false, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "a credential of a server cannot be opened with this key").WithCause(err).
			WithHint("store it, or sign in, again")
	}
	return plain, true, nil
}

// NoKey is the error of a wallet without a key of the installation.
func NoKey() error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "credentials are kept sealed, and no encryption key is configured").
		WithHint("set encryption.key_file or encryption.key_command; openssl rand -base64 32 makes a key")
}

// put keeps a value; nil removes it.
func (w *Wallet) put(ctx context.Context, at place, plain []byte) error {
	return w.alone(ctx, func() error { return w.set(at, plain) })
}

// alone runs a function while no other process changes the file.
func (w *Wallet) alone(ctx context.Context, do func() error) error {
	if err := os.MkdirAll(w.Dir, 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(w.Dir, "credentials.lock"))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return err
	}
	defer lock.Unlock()
	return do()
}

func (w *Wallet) set(at place, plain []byte) error {
	all, err := w.read()
	if err != nil {
		return err
	}
	delete(all, at)
	if plain != nil {
		if w.Sealer == nil {
			return NoKey()
		}
		if all[at], err = w.Sealer.Seal(plain, []byte(at)); err != nil {
			return err
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return replace(w.path(), text)
}

// replace writes a file whole or not at all.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".credentials-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// SetSecret keeps a secret under a name; "" removes it.
func (w *Wallet) SetSecret(ctx context.Context, name, value string) error {
	if !nameForm().MatchString(name) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the name of a secret has letters, digits and ._/:@#+- only, at most 250")
	}
	if value == "" {
		return w.put(ctx, secretAt(name), nil)
	}
	return w.put(ctx, secretAt(name), []byte(value))
}

// Names returns the names of the secrets, sorted.
func (w *Wallet) Names() ([]string, error) {
	all, err := w.read()
	var names []string
	for at := range all {
		if name, ok := strings.CutPrefix(string(at), "secret\x00"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}
