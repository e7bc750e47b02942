package vault

import "github.com/ctx-mcp/ctx-mcp"

// Originals seals the originals of artifacts, which lie in files.
type Originals struct{ *Vault }

var originalsPlace = []byte("original")

// Seal returns content encrypted.
func (o Originals) Seal(content []byte) ([]byte, error) { return o.Vault.Seal(content, originalsPlace) }

// Unseal returns the content that Seal encrypted. It returns CodeUnavailable if it cannot.
func (o Originals) Unseal(sealed []byte) ([]byte, error) {
	content, err := o.Vault.Open(sealed, originalsPlace)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the original cannot be opened with this key").WithCause(err).
			WithHint("if it was kept under an age identity, set artifacts.raw_key to that")
	}
	return content, nil
}
