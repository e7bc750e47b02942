package packets

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/ctx-mcp/ctx-mcp"
)

// Shape checks the facts of a context against a schema. Check returns a CodeInvalid Error in words for the caller.
type Shape interface {
	Check(ctx context.Context, raw []byte) error
}

// metadata are the values that this package reads of a caller's metadata.
type metadata struct {
	pii    bool
	vault  map[string]string
	schema string
}

// CheckMetadata returns CodeInvalid for metadata that cannot be meant, or do not fit the context schema that they name: so a caller hears of it before
// anything is gathered.
func (s *Service) CheckMetadata(ctx context.Context, m map[string]json.RawMessage) error {
	_, err := s.admissible(ctx, m)
	return err
}

// admissible reads metadata that fit the schema that they name.
func (s *Service) admissible(ctx context.Context, m map[string]json.RawMessage) (metadata, error) {
	said, err := readMetadata(m)
	if err != nil {
		return metadata{}, err
	}
	return said, s.fits(ctx, said.schema, m)
}

// readMetadata returns the flag, the references to vaults and the name of the schema.
func readMetadata(m map[string]json.RawMessage) (said metadata, err error) {
	invalid := func(name, hint string) error {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "metadata.%s cannot be meant", name).WithHint("%s", hint)
	}
	if raw, ok := m[piiKey]; ok && json.Unmarshal(raw, &said.pii) != nil {
		return said, invalid(piiKey, "true or false")
	}
	if raw, ok := m[vaultKey]; ok && json.Unmarshal(raw, &said.vault) != nil {
		return said, invalid(vaultKey, "an object: fingerprint of the hidden secret, and where it is kept")
	}
	for _, ref := range said.vault {
		if !vaultForm().MatchString(ref) {
			return said, invalid(vaultKey, "name the place as vault:kv/ci#token, op://vault/item/field, secret://… or keyvault:…")
		}
	}
	if raw, ok := m[schemaKey]; ok && json.Unmarshal(raw, &said.schema) != nil {
		return said, invalid(schemaKey, "the name of a context schema")
	}
	return said, nil
}

// fits checks the caller's own metadata against the schema that they name.
func (s *Service) fits(ctx context.Context, name string, m map[string]json.RawMessage) error {
	schema, err := s.schemaOf(Draft{Schema: name})
	shape := s.Options.Shapes[name]
	if err != nil || shape == nil {
		return err
	}
	facts := maps.Clone(m)
	for _, key := range []string{piiKey, vaultKey, schemaKey} {
		delete(facts, key)
	}
	raw, err := json.Marshal(facts)
	if err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "metadata is no JSON").WithCause(err)
	}
	if err := shape.Check(ctx, raw); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "metadata is no %s %s: %s", schema.Name, schema.Version, err).
			WithHint("give metadata what the schema asks for, or leave metadata.schema out")
	}
	return nil
}
