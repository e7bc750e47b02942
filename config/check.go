package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/packets"
)

func (c *Config) check() error {
	if err := c.atHome(); err != nil {
		return err
	}
	switch {
	case c.DataDir == "":
		return invalid("there is no home directory to keep data in: set --data-dir or CTX_MCP_DATA_DIR")
	case c.Tenant == "" || c.User == "":
		return invalid("identity.tenant and identity.user cannot be empty")
	case c.MinLength > c.MaxLength, c.MaxLength == 0:
		return invalid("memory.max_length is 0, or below memory.min_length")
	case (c.EmbeddingsURL == "") != (c.EmbeddingsModel == ""):
		return invalid("embeddings.base_url and embeddings.model go together: set both or neither")
	}
	if err := errors.Join(c.checkHTTP(), c.checkArtifacts(), c.checkContexts(), c.checkReduction(), c.Accumulator.check(), c.checkEncryption(), c.TLS.check(), c.OAuth.check(c.PublicURL)); err != nil {
		return err
	}
	abs, err := filepath.Abs(c.DataDir)
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	c.DataDir = abs
	if c.KeysDir != "" {
		if c.KeysDir, err = filepath.Abs(c.KeysDir); err != nil {
			return fmt.Errorf("folder of the keys: %w", err)
		}
	}
	if c.Blobs != "" && !strings.Contains(c.Blobs, "://") {
		if c.Blobs, err = filepath.Abs(c.Blobs); err != nil {
			return fmt.Errorf("folder of blobs: %w", err)
		}
	}
	return c.checkErasure()
}

// atHome puts the home directory in the place of a ~ at the beginning of a path: no shell does that in a file of settings.
func (c *Config) atHome() error {
	for _, p := range []*string{&c.DataDir, &c.KeysDir, &c.Blobs, &c.ErasureKeys, &c.Rules, &c.Upstreams, &c.SchemaDir, &c.RedactionRules, &c.EncryptionKeyFile, &c.RawKeyFile, &c.PolicyFile} {
		rest, is := strings.CutPrefix(*p, "~")
		if !is || rest != "" && !os.IsPathSeparator(rest[0]) {
			continue
		}
		home, err := os.UserHomeDir()
		if err != nil {
			return invalid("%s: there is no home directory", *p)
		}
		*p = filepath.Join(home, rest)
	}
	return nil
}

// checkErasure refuses keys that a backup of the data directory would hold beside the rows that they open.
func (c *Config) checkErasure() (err error) {
	switch {
	case c.ErasureKeys == "" && c.ErasureSeal:
		return invalid("erasure.seal needs erasure.keys")
	case c.ErasureKeys == c.Store && strings.Contains(c.Store, "://"):
		return invalid("erasure.keys is the database of the rows: its log and backups would keep the keys beside what they open")
	case c.ErasureKeys == "" || strings.Contains(c.ErasureKeys, "://"):
		return nil
	}
	if c.ErasureKeys, err = filepath.Abs(c.ErasureKeys); err != nil {
		return fmt.Errorf("folder of the keys of memories: %w", err)
	}
	if within, err := filepath.Rel(c.DataDir, c.ErasureKeys); err == nil && filepath.IsLocal(within) {
		return invalid("erasure.keys is in data_dir: a backup would keep the keys beside what they open")
	}
	return nil
}

// Keys returns the folder that holds the keys of the installation.
func (c *Config) Keys() string { return cmp.Or(c.KeysDir, c.DataDir) }

// checkHTTP refuses addresses that could do nothing, or that would show a password.
func (c *Config) checkHTTP() error {
	if c.MaxBodyBytes == 0 {
		return invalid("http.max_body_bytes is 0")
	}
	if u, err := url.Parse(c.EmbeddingsURL); err != nil || u.User != nil {
		return invalid("embeddings.base_url is not a URL, or holds a password: put that into embeddings.api_key")
	}
	origins := slices.Concat(c.AllowedOrigins, c.CORSOrigins)
	if c.PublicURL != "" {
		origins = append(origins, c.PublicURL)
	}
	for _, origin := range origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return invalid("%q is not an origin such as https://app.example.org", origin)
		}
	}
	return nil
}

func (c *Config) checkArtifacts() error {
	switch {
	case c.ArtifactSweepAt < c.ArtifactKeep || c.ArtifactKeep == 0:
		return invalid("artifacts.keep is 0, or above artifacts.sweep_at")
	case c.ArtifactThreshold == 0 || c.ArtifactMaxBytes == 0:
		return invalid("artifacts.threshold or artifacts.max_bytes is 0")
	case c.RawKey != "" && c.RawKeyFile != "":
		return invalid("set artifacts.raw_key or artifacts.raw_key_file, and not both")
	case c.KeepRaw == KeepEncrypted && c.RawKey == "" && c.RawKeyFile == "" && !c.EncryptionKeySource().IsSet():
		return invalid("artifacts.keep_raw: encrypted needs artifacts.raw_key or artifacts.raw_key_file, or an encryption key")
	}
	return nil
}
func (c *Config) checkContexts() error {
	if c.DirectiveBytes == 0 || c.DirectiveItems == 0 || c.PacketKeep == 0 {
		return invalid("context.max_bytes, context.max_items or context.packet_keep is 0")
	}
	for i, root := range c.FilesystemRoots {
		info, err := os.Stat(root)
		if err != nil || !info.IsDir() {
			return invalid("context.filesystem_roots: %s is not a folder", root)
		}
		if c.FilesystemRoots[i], err = filepath.Abs(root); err != nil {
			return invalid("context.filesystem_roots: %v", err)
		}
	}
	if err := packets.CheckSchemas(c.Schemas); err != nil {
		return invalid("context.schemas: %v", err)
	}
	return c.readShapes()
}

// checkReduction refuses marks that could do nothing, or never come to an end.
func (c *Config) checkReduction() error {
	r := c.Reduce
	switch {
	case r.Limit == 0 || r.ArtifactThreshold == 0 || r.CompressTo == 0 || r.MaxResult == 0 || r.Window == 0:
		return invalid("a limit of context, tool or conversation is 0")
	case r.Trigger == 0 || r.LowMark == 0 || r.LowMark >= r.Trigger:
		return invalid("prompt.low_mark is 0, or not below prompt.telemetry_threshold")
	case (c.ChatURL == "") != (c.ChatModel == ""):
		return invalid("chat.base_url and chat.model go together: set both or neither")
	case c.PolicyJudge && c.ChatURL == "":
		return invalid("policy.judge needs a model: set chat.base_url and chat.model")
	}
	return nil
}
