package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// loadFile reads the file that was named, or the one in the platform's place if there is one.
func (c *Config) loadFile(getenv func(string) string, byFlag func(Setting) bool) error {
	named := c.File != ""
	if !named {
		c.File = getenv("CTX_MCP_CONFIG")
		named = c.File != ""
	}
	if dir, err := os.UserConfigDir(); !named && err == nil {
		if c.File, err = placed(filepath.Join(dir, "ctx-mcp")); err != nil {
			return err
		}
	}
	text, err := c.read(c.File)
	if errors.Is(err, fs.ErrNotExist) && !named {
		c.File = ""
		return nil
	}
	if err != nil {
		return invalid("configuration file: %v", err)
	}
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		return invalid("%s: not YAML: %s", c.File, firstLine(err.Error()))
	}
	for _, doc := range parsed.Docs {
		if doc.Body == nil {
			continue
		}
		if err := c.fromYAML(doc.Body, "", byFlag); err != nil {
			return err
		}
	}
	return nil
}

// stdin is the name that stands for the standard input.
const stdin = "-"

// read returns the text of a file, or of the standard input where a command hands it over.
func (c *Config) read(name string) ([]byte, error) {
	if name == stdin && c.Input != nil {
		return c.Input()
	}
	return os.ReadFile(name)
}

// ReadFile returns the text of the file that a setting names. It reads the standard input once, however often the setting is asked for.
func (c *Config) ReadFile(setting, name string) ([]byte, error) {
	if name == stdin && c.piped.setting == setting {
		return c.piped.text, nil
	}
	text, err := c.read(name)
	if name == stdin && err == nil {
		c.piped.setting, c.piped.text = setting, text
	}
	return text, err
}

// placed returns the configuration file of a folder: config.yaml, or config.yml where there is only that. Both together are an error: one of them
// would count for nothing.
func placed(folder string) (string, error) {
	long, short := filepath.Join(folder, "config.yaml"), filepath.Join(folder, "config.yml")
	if _, err := os.Stat(short); err != nil {
		return long, nil
	}
	if _, err := os.Stat(long); err == nil {
		return "", invalid("configuration file: %s and config.yml stand side by side: keep one of them", long)
	}
	return short, nil
}

// fromYAML sets the settings in a node. Keys nest as section.name does.
func (c *Config) fromYAML(n ast.Node, at string, byFlag func(Setting) bool) error {
	line := n.GetToken().Position.Line
	values, isSection := entries(n)
	if !isSection {
		return invalid("%s:%d: %s is a section, not a value", c.File, line, at)
	}
	for _, kv := range values {
		key := strings.TrimPrefix(at+"."+kv.Key.GetToken().Value, ".")
		if err := c.fromKey(kv, key, byFlag); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) fromKey(kv *ast.MappingValueNode, key string, byFlag func(Setting) bool) error {
	line := kv.Key.GetToken().Position.Line
	for _, s := range settings {
		if strings.HasPrefix(s.Key, key+".") {
			return c.fromYAML(kv.Value, key, byFlag)
		}
		if s.Key != key {
			continue
		}
		text, err := written(s.value(c), kv.Value)
		if err == nil && !byFlag(s) {
			err = s.value(c).Set(text)
		}
		if err != nil {
			return invalid("%s:%d: %s: %v", c.File, line, key, s.hide(err))
		}
		c.source[key] = fmt.Sprintf("%s:%d", c.File, line)
		return nil
	}
	return invalid("%s:%d: unknown key %q; ctx-mcp config show lists the known ones", c.File, line, key)
}

// entries returns the keys of a section with their values, and reports whether the node is one.
func entries(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, true
	default:
		return nil, false
	}
}

// written returns the value of a setting in a node as text: of a table, name=value pairs.
func written(v Value, n ast.Node) (string, error) {
	values, isSection := entries(n)
	if _, isTable := v.(*tableValue); !isTable || !isSection {
		return scalar(n)
	}
	var pairs []string
	for _, kv := range values {
		text, err := scalar(kv.Value)
		if err != nil {
			return "", err
		}
		pairs = append(pairs, kv.Key.GetToken().Value+"="+text)
	}
	return strings.Join(pairs, ","), nil
}

// scalar returns a value as text; a list becomes its items, separated by commas.
func scalar(n ast.Node) (string, error) {
	switch v := n.(type) {
	case *ast.SequenceNode:
		items := make([]string, len(v.Values))
		for i, item := range v.Values {
			text, err := scalar(item)
			if err != nil {
				return "", err
			}
			items[i] = text
		}
		return strings.Join(items, ","), nil
	case *ast.MappingNode, *ast.MappingValueNode:
		return "", errors.New("it is a value, not a section")
	case *ast.NullNode:
		return "", nil
	case ast.ScalarNode:
		return v.GetToken().Value, nil
	default:
		return "", errors.New("it cannot be read")
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
