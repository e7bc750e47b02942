package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

// readShapes reads the schemas of contexts: each file of the folder is that of the context schema with its name, which has a version.
func (c *Config) readShapes() error {
	if c.SchemaDir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(c.SchemaDir, "*.json"))
	if err != nil || len(files) == 0 {
		return invalid("context.schema_dir: %s holds no file NAME.json", c.SchemaDir)
	}
	c.Shapes = map[string]packets.Shape{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if c.Schemas[name] == "" {
			return invalid("context.schema_dir: %s has no version: add %s=VERSION to context.schemas", file, name)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return invalid("context.schema_dir: %v", err)
		}
		shape, err := schema.NewChecker(json.RawMessage(raw), "field")
		if err != nil {
			return invalid("context.schema_dir: %s is no JSON Schema: %v", file, err)
		}
		c.Shapes[name] = shape
	}
	return nil
}
