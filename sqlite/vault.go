package sqlite

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Vault seals single fields. A sealed field is bound to a place: it cannot be opened in another one.
type Vault interface {
	Seal(plain, place []byte) ([]byte, error)
	Open(sealed, place []byte) ([]byte, error)
}

// sealedMark is the first byte of everything that a Vault seals, and of no JSON: a field written before a store was sealed
// is still read.
const sealedMark = 0x01

// UseVault has fields sealed that are written from now on. It is called before the first use.
func (s *Store) UseVault(v Vault) { s.vault = v }

// seal returns a field as it is stored at the place; nothing stays nothing.
func (s *Store) seal(plain []byte, place ...string) ([]byte, error) {
	if s.vault == nil || plain == nil {
		return plain, nil
	}
	return s.vault.Seal(plain, placeOf(place))
}

// unseal returns a field as seal was given it. It returns CodeUnavailable for one that cannot be opened.
func (s *Store) unseal(field []byte, place ...string) ([]byte, error) {
	if len(field) == 0 || field[0] != sealedMark {
		return field, nil
	}
	if s.vault == nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the data is sealed, and no key is configured").
			WithHint("set encryption.key_file, encryption.key or encryption.key_command")
	}
	plain, err := s.vault.Open(field, placeOf(place))
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "a sealed field cannot be opened").WithCause(err).
			WithHint("run ctx-mcp doctor")
	}
	return plain, nil
}

func placeOf(parts []string) []byte { return []byte(strings.Join(parts, "\x00")) }
