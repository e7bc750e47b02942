package receipts

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"

	"golang.org/x/mod/sumdb/note"

	"github.com/ctx-mcp/ctx-mcp"
)

// Keys holds the signing keys of an installation. The log says which one is in force: the one that signed its head.
type Keys interface {
	// First returns the key of an empty log: it is made if there has never been one. It returns CodeUnavailable if there
	// was one and its private half is gone.
	First(ctx context.Context) (ed25519.PrivateKey, error)
	// Private returns the key with the id. It returns CodeUnavailable if it is not there or cannot be read.
	Private(ctx context.Context, id string) (ed25519.PrivateKey, error)
	// Public returns the public half of the key with the id. It returns CodeUnavailable if it is not there.
	Public(ctx context.Context, id string) (ed25519.PublicKey, error)
	// Fresh makes another key, for a rotation.
	Fresh(ctx context.Context) (ed25519.PrivateKey, error)
	// Retire removes the private half of every key but that one. Public halves stay.
	Retire(ctx context.Context, but string) error
}

// KeyID names a public key: sha256:hex of its 32 bytes.
func KeyID(public ed25519.PublicKey) string { return ctxmcp.DigestRef(public) }

// signer signs under one key, as DSSE and as signed notes want it, and checks signatures by its public half.
type signer struct {
	private ed25519.PrivateKey // nil: only checks
	public  ed25519.PublicKey
	id      string
	origin  string // of the log, for notes
	hash    uint32 // of origin and key, for notes
}

func newVerifier(origin string, public ed25519.PublicKey) (*signer, error) {
	text, err := note.NewEd25519VerifierKey(origin, public)
	if err != nil {
		return nil, err
	}
	v, err := note.NewVerifier(text)
	if err != nil {
		return nil, err
	}
	return &signer{public: public, id: KeyID(public), origin: origin, hash: v.KeyHash()}, nil
}

func newSigner(origin string, private ed25519.PrivateKey) (*signer, error) {
	s, err := newVerifier(origin, private.Public().(ed25519.PublicKey))
	if err == nil {
		s.private = private
	}
	return s, err
}

// Sign implements dsse.Signer.
func (s *signer) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(s.private, data), nil
}

// Verify implements dsse.Verifier.
func (s *signer) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(s.public, data, sig) {
		return errors.New("the signature does not fit")
	}
	return nil
}

// KeyID implements dsse.Signer and dsse.Verifier.
func (s *signer) KeyID() (string, error) { return s.id, nil }

// Public implements dsse.Verifier.
func (s *signer) Public() crypto.PublicKey { return s.public }

// salt returns the bytes that go before a private part when its digest is made, so that a guess at its content cannot be
// tried. It depends on the key and the receipt's id only: the same receipt made again has the same digest.
func (s *signer) salt(id string) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, s.private.Seed(), nil, "ctx-mcp private digest", sha256.Size)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id))
	return mac.Sum(nil)[:16], nil
}

// noteSigner is the same key as note has it: its methods have the names of dsse's, with other arguments.
type noteSigner struct{ *signer }

func (s noteSigner) Name() string                    { return s.origin }
func (s noteSigner) KeyHash() uint32                 { return s.hash }
func (s noteSigner) Sign(msg []byte) ([]byte, error) { return ed25519.Sign(s.private, msg), nil }
func (s noteSigner) Verify(msg, sig []byte) bool     { return ed25519.Verify(s.public, msg, sig) }

func encodeKey(public ed25519.PublicKey) string { return base64.StdEncoding.EncodeToString(public) }

func decodeKey(text string) (ed25519.PublicKey, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != ed25519.PublicKeySize {
		return nil, errors.New("a public key is not 32 bytes in base64")
	}
	return raw, nil
}
