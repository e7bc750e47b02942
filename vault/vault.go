package vault

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"

	"github.com/ctx-mcp/ctx-mcp"
)

// KeySize is the size of a Key in bytes.
const KeySize = 32

// Key is the key of an installation.
type Key struct{ seals tink.AEAD }

// binding ties sealed data keys to their purpose.
var binding = []byte("ctx-mcp data keys")

// ParseKey reads a key: 32 bytes in base64, perhaps with white space around. It returns CodeInvalid for anything else,
// without quoting it.
func ParseKey(text string) (Key, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(raw) != KeySize {
		return Key{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the encryption key is not %d bytes in base64", KeySize).
			WithHint("make one with: openssl rand -base64 %d", KeySize)
	}
	seals, err := subtle.NewAESGCM(raw)
	if err != nil {
		return Key{}, fmt.Errorf("use the encryption key: %w", err)
	}
	return Key{seals}, nil
}

// Vault seals and opens fields under its data keys.
type Vault struct {
	keys  *keyset.Handle
	seals tink.AEAD
}

// New makes a vault with a new data key, for a store that has none.
func New() (*Vault, error) {
	h, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("make a data key: %w", err)
	}
	return with(h)
}

func with(h *keyset.Handle) (*Vault, error) {
	seals, err := aead.New(h)
	if err != nil {
		return nil, fmt.Errorf("use the data keys: %w", err)
	}
	return &Vault{h, seals}, nil
}

// Open returns the vault whose data keys Wrap sealed under the key. It returns CodeUnavailable if the key is another one.
func Open(wrapped []byte, key Key) (*Vault, error) {
	h, err := keyset.ReadWithAssociatedData(keyset.NewBinaryReader(bytes.NewReader(wrapped)), key.seals, binding)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the encryption key is not the one under which this data was sealed").WithCause(err).
			WithHint("configure the right key; without it what is sealed cannot be read, and nothing is sealed under another one")
	}
	return with(h)
}

// Wrap returns the data keys, sealed under the key.
func (v *Vault) Wrap(key Key) ([]byte, error) {
	var out bytes.Buffer
	if err := v.keys.WriteWithAssociatedData(keyset.NewBinaryWriter(&out), key.seals, binding); err != nil {
		return nil, fmt.Errorf("seal the data keys: %w", err)
	}
	return out.Bytes(), nil
}

// Renew returns a vault that seals under a new data key, and still opens fields sealed under the old ones.
func (v *Vault) Renew() (*Vault, error) {
	m := keyset.NewManagerFromHandle(v.keys)
	id, err := m.Add(aead.AES256GCMKeyTemplate())
	if err == nil {
		err = m.SetPrimary(id)
	}
	if err != nil {
		return nil, fmt.Errorf("make a data key: %w", err)
	}
	h, err := m.Handle()
	if err != nil {
		return nil, fmt.Errorf("make a data key: %w", err)
	}
	return with(h)
}

// DataKeys returns how many there are.
func (v *Vault) DataKeys() int { return v.keys.Len() }

// Seal returns plain sealed for the place. The first byte of the result is 1.
func (v *Vault) Seal(plain, place []byte) ([]byte, error) {
	sealed, err := v.seals.Encrypt(plain, place)
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	return sealed, nil
}

// Open returns the content that was sealed for the place. It returns an error for anything that was changed, moved,
// or sealed under a key that is not here.
func (v *Vault) Open(sealed, place []byte) ([]byte, error) {
	plain, err := v.seals.Decrypt(sealed, place)
	if err != nil {
		return nil, fmt.Errorf("open what is sealed: %w", err)
	}
	return plain, nil
}
