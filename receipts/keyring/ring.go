package keyring

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// Ring is the keys in one directory, which is made with the first of them.
type Ring struct {
	Dir    string
	Random io.Reader // cryptographically secure, as crypto/rand.Reader is
}

var _ receipts.Keys = (*Ring)(nil)

// Info is one key of a Ring.
type Info struct {
	ID      string // sha256:hex
	Key     ed25519.PublicKey
	Private bool // its private half is there
	PEM     []byte
}

const (
	privateType = "PRIVATE KEY"
	publicType  = "PUBLIC KEY"
)

// First implements receipts.Keys.
func (r *Ring) First(ctx context.Context) (ed25519.PrivateKey, error) {
	all, err := r.List()
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Private {
			return r.Private(ctx, p.ID)
		}
	}
	if len(all) > 0 {
		return nil, lost(all[0].ID)
	}
	return r.Fresh(ctx)
}

// Private implements receipts.Keys.
func (r *Ring) Private(_ context.Context, id string) (ed25519.PrivateKey, error) {
	path := r.path(id, ".key")
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, lost(id)
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	if !Guarded(info) {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the signing key can be read by others").WithCause(errors.New(path)).
			WithHint("chmod 600 %s, and rotate it with ctx-mcp keys rotate", filepath.Base(path))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	key, err := parsePrivate(text)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if receipts.KeyID(key.Public().(ed25519.PublicKey)) != id {
		return nil, unreadable(path, errors.New("it holds another key"))
	}
	return key, nil
}

// Public implements receipts.Keys.
func (r *Ring) Public(_ context.Context, id string) (ed25519.PublicKey, error) {
	all, err := r.List()
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.ID == id {
			return p.Key, nil
		}
	}
	return nil, lost(id)
}

// Fresh implements receipts.Keys. The private half is written first: a public half alone would stand for a lost key.
func (r *Ring) Fresh(context.Context) (ed25519.PrivateKey, error) {
	public, private, err := ed25519.GenerateKey(r.Random)
	if err != nil {
		return nil, fmt.Errorf("make a signing key: %w", err)
	}
	if err := os.MkdirAll(r.Dir, 0o700); err != nil {
		return nil, unwritable(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	id := receipts.KeyID(public)
	if err := write(r.path(id, ".key"), pem.EncodeToMemory(&pem.Block{Type: privateType, Bytes: der})); err != nil {
		return nil, err
	}
	text, err := encodePublic(public)
	if err != nil {
		return nil, err
	}
	return private, write(r.path(id, ".pub"), text)
}

// Retire implements receipts.Keys.
func (r *Ring) Retire(_ context.Context, but string) error {
	all, err := r.List()
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.Private && p.ID != but {
			if err := os.Remove(r.path(p.ID, ".key")); err != nil {
				return unwritable(err)
			}
		}
	}
	return nil
}

// List returns the keys, in order of their ids.
func (r *Ring) List() ([]Info, error) {
	paths, err := filepath.Glob(filepath.Join(r.Dir, "*.pub"))
	if err != nil {
		return nil, err
	}
	var all []Info
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		keys, err := ParsePublic(text)
		if err != nil || len(keys) != 1 {
			return nil, unreadable(path, fmt.Errorf("%d keys: %w", len(keys), err))
		}
		p := Info{ID: receipts.KeyID(keys[0]), Key: keys[0], PEM: text}
		_, err = os.Stat(r.path(p.ID, ".key"))
		p.Private = err == nil
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Info) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

func (r *Ring) path(id, ending string) string {
	digits := strings.TrimPrefix(id, "sha256:")
	return filepath.Join(r.Dir, filepath.Base(digits[:min(16, len(digits))])+ending)
}

// ParsePublic reads public keys from PEM, one or more. It returns CodeInvalid for a text without one, and for any other
// kind of key.
func ParsePublic(text []byte) ([]ed25519.PublicKey, error) {
	var keys []ed25519.PublicKey
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		text = rest
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		public, is := key.(ed25519.PublicKey)
		if err != nil || !is || block.Type != publicType {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "it holds something other than an Ed25519 public key")
		}
		keys = append(keys, public)
	}
	if len(keys) == 0 || len(bytes.TrimSpace(text)) > 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "it is not a list of public keys in PEM").
			WithHint("ctx-mcp keys export prints one")
	}
	return keys, nil
}

func parsePrivate(text []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != privateType {
		return nil, errors.New("it is not a private key in PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	private, is := key.(ed25519.PrivateKey)
	if err != nil || !is {
		return nil, errors.New("it is not an Ed25519 private key")
	}
	return private, nil
}

func encodePublic(public ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: publicType, Bytes: der}), nil
}

// write makes a file with tight permissions, whole or not at all, on disk when it returns. It leaves a file alone that is
// there.
func write(path string, text []byte) (err error) {
	temp := path + "." + rand.Text()
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return unwritable(err)
	}
	defer os.Remove(temp)
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return unwritable(err)
	}
	if err := os.Link(temp, path); err != nil {
		return unwritable(err)
	}
	return syncDir(filepath.Dir(path))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return unwritable(err)
	}
	return errors.Join(d.Sync(), d.Close())
}

func lost(id string) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the private half of %s, which signs receipts, is missing, and none can be written without it", short(id)).
		WithHint("copy receipts/keys from the server that has it, or restore them from a backup; where it is lost for good, go on with a new key: ctx-mcp keys rotate --lost")
}

func short(id string) string { return id[:min(len(id), len("sha256:")+16)] }

func unreadable(path string, err error) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the key file %s cannot be read", filepath.Base(path)).WithCause(err).
		WithHint("restore receipts/keys from a backup")
}

func unwritable(err error) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the keys cannot be written").WithCause(err).
		WithHint("check the space and the permissions of the data directory")
}
