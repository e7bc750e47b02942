package release

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	_ "embed"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// SumsName is the file with the digests of all others, in the form of sha256sum.
const SumsName = "SHA256SUMS"

//go:embed install.sh
var installer []byte

// Sums returns the digests of files.
func Sums(all []Artifact) Artifact {
	var b strings.Builder
	for _, a := range all {
		fmt.Fprintf(&b, "%s  %s\n", digest(a.Body), a.Name)
	}
	return Artifact{SumsName, []byte(b.String())}
}

// Sign returns the signature of a file by an Ed25519 key in PEM (PKCS #8), as openssl pkeyutl -verify -rawin reads it, and the key that proves it.
func Sign(a Artifact, key []byte) (signature, public Artifact, err error) {
	block, _ := pem.Decode(key)
	if block == nil {
		return Artifact{}, Artifact{}, errors.New("the key is not PEM: make one with openssl genpkey -algorithm ed25519")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return Artifact{}, Artifact{}, fmt.Errorf("read the key: %w", err)
	}
	private, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return Artifact{}, Artifact{}, errors.New("the key is not of Ed25519: make one with openssl genpkey -algorithm ed25519")
	}
	signed, err := private.Sign(rand.Reader, a.Body, crypto.Hash(0))
	if err != nil {
		return Artifact{}, Artifact{}, fmt.Errorf("sign %s: %w", a.Name, err)
	}
	raw, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		return Artifact{}, Artifact{}, fmt.Errorf("write the public key: %w", err)
	}
	return Artifact{a.Name + ".sig", signed}, Artifact{a.Name + ".pem", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: raw})}, nil
}

// digest returns the SHA-256 of a content, in hexadecimal.
func digest(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
