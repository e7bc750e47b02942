package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/redact/rules"
)

// newRedactor returns the redactor of the configuration: with the table of vendors, the rules and values of the
// installation, and the server's own key for embeddings hidden, should anything return it.
func newRedactor(key []byte, c *config.Config) (*redact.Redactor, error) {
	var own []redact.Rule
	if c.RedactionRules != "" {
		var err error
		if own, err = readRedactionRules(c); err != nil {
			return nil, err
		}
	}
	r, err := redact.New(key).Later(rules.Vendors).With(own...)
	if err != nil {
		return nil, usage("redaction.rules: %v", err)
	}
	values := c.RedactionHide
	if len(c.EmbeddingsKey) >= redact.MinHidden {
		values = append(values, c.EmbeddingsKey)
	}
	if len(c.EncryptionKey) >= redact.MinHidden {
		values = append(values, c.EncryptionKey)
	}
	values = append(append(values, c.UpstreamSecrets()...), c.GatewaySecrets()...)
	if len(c.OAuth.Secret) >= redact.MinHidden {
		values = append(values, c.OAuth.Secret)
	}
	if len(c.ChatKey) >= redact.MinHidden {
		values = append(values, c.ChatKey)
	}
	if r, err = r.Hide(values...); err != nil {
		return nil, usage("redaction.hide: %v", err)
	}
	return r.Without(c.RedactionAllow...), nil
}

// readRedactionRules reads the installation's own rules.
func readRedactionRules(c *config.Config) ([]redact.Rule, error) {
	path := c.RedactionRules
	text, err := c.ReadFile("redaction.rules", path)
	if err != nil {
		return nil, usage("redaction.rules: %v", err)
	}
	list, err := rules.Parse(string(text))
	if err != nil {
		return nil, usage("redaction.rules: %s: %v", path, err)
	}
	return list, nil
}

// redactMemory redacts memories, which may name people.
func (a *app) redactMemory(ctx context.Context, tenant, text string) (string, []redact.Finding, error) {
	return a.memories.redact(ctx, tenant, text)
}

// redactResult redacts everything else.
func (a *app) redactResult(ctx context.Context, tenant, text string) (string, []redact.Finding, error) {
	return a.redactor.redact(ctx, tenant, text)
}

// fingerprintKey reads the installation's key for fingerprints, and returns none where there is no installation.
func fingerprintKey(dir string) ([]byte, error) {
	if _, err := os.Stat(filepath.Join(dir, redactionKeyFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return redactionKey(dir, nil)
}

// redactionKeyFile is the name of the key in the data directory.
const redactionKeyFile = "redaction.key"

// redactionKey reads the installation's key for fingerprints, and makes it on first use.
func redactionKey(dir string, random io.Reader) ([]byte, error) {
	const size = 32
	path := filepath.Join(dir, redactionKeyFile)
	key, err := os.ReadFile(path)
	if err == nil && len(key) == size {
		return key, nil
	}
	if err == nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s is not a key of %d bytes", path, size).
			WithHint("restore it from a backup, or remove it: fingerprints of secrets will then change")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the redaction key: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the keys: %w", err)
	}
	key = make([]byte, size)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, fmt.Errorf("make the redaction key: %w", err)
	}
	return key, keepKey(path, key)
}

// keepKey writes a new key whole or not at all, and gives way to another process that was faster.
func keepKey(path string, key []byte) error {
	temp := fmt.Sprintf("%s.%s", path, rand.Text())
	if err := os.WriteFile(temp, key, 0o600); err != nil {
		return fmt.Errorf("keep the redaction key: %w", err)
	}
	defer os.Remove(temp)
	err := os.Link(temp, path)
	if errors.Is(err, fs.ErrExist) {
		kept, err := os.ReadFile(path)
		copy(key, kept)
		return err
	}
	return err
}
