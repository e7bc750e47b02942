package seal

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"

	"github.com/ctx-mcp/ctx-mcp"
)

// Sealer encrypts to one key, and decrypts with it.
type Sealer struct{ identity *age.X25519Identity }

// New returns a Sealer for an age identity: the line AGE-SECRET-KEY-1… of a file that age-keygen wrote, or the whole file. It
// returns CodeInvalid for anything else, without quoting it.
func New(key string) (*Sealer, error) {
	for line := range strings.Lines(key) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		identity, err := age.ParseX25519Identity(line)
		if err != nil { // whose text may quote the key
			break
		}
		return &Sealer{identity}, nil
	}
	return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the key for originals is not an age identity").
		WithHint("make one with age-keygen: it begins with AGE-SECRET-KEY-1")
}

// Seal returns content encrypted.
func (s *Sealer) Seal(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := age.Encrypt(&out, s.identity.Recipient())
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	return out.Bytes(), nil
}

// Unseal returns the content that Seal encrypted. It returns CodeUnavailable if the key is another one.
func (s *Sealer) Unseal(sealed []byte) ([]byte, error) {
	r, err := age.Decrypt(bytes.NewReader(sealed), s.identity)
	if err == nil {
		var content []byte
		if content, err = io.ReadAll(r); err == nil {
			return content, nil
		}
	}
	return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the original cannot be opened with this key").WithCause(err).
		WithHint("set artifacts.raw_key to the key under which it was kept")
}
