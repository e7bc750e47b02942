package config

import (
	"bytes"
	"context"
	"os/exec"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

// keyCommandTimeout bounds encryption.key_command.
const keyCommandTimeout = 30 * time.Second

// KeySource is the source of an encryption key: one of the three is set, or none.
type KeySource struct{ Text, File, Command string }

func (k KeySource) IsSet() bool { return k != KeySource{} }

// ReadKey returns the key of a source. It returns CodeUnavailable if it cannot be had, without quoting anything of it.
func (c *Config) ReadKey(ctx context.Context, k KeySource) (vault.Key, error) {
	text := k.Text
	switch {
	case k.File != "":
		raw, err := c.ReadFile("encryption.key_file", k.File)
		if err != nil {
			return vault.Key{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the encryption key cannot be read from its file").WithCause(err).
				WithHint("check encryption.key_file")
		}
		text = string(raw)
	case k.Command != "":
		ctx, cancel := context.WithTimeout(ctx, keyCommandTimeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", k.Command)
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Run(); err != nil {
			return vault.Key{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "encryption.key_command failed").WithCause(err).
				WithHint("it is run by sh and prints the key")
		}
		text = out.String()
	}
	return vault.ParseKey(text)
}

func (c *Config) EncryptionKeySource() KeySource {
	return KeySource{c.EncryptionKey, c.EncryptionKeyFile, c.EncryptionKeyCommand}
}

func (c *Config) checkEncryption() error {
	set := 0
	for _, text := range []string{c.EncryptionKey, c.EncryptionKeyFile, c.EncryptionKeyCommand} {
		if text != "" {
			set++
		}
	}
	if set > 1 {
		return invalid("set one of encryption.key, encryption.key_file and encryption.key_command")
	}
	return nil
}
