package connect

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Behind are the servers of a client that stand behind the gateway: a file in the form {"mcpServers": {…}}, which only its owner can read.
type Behind struct {
	File    string
	Servers map[string]map[string]any // in the form of that file
	Before  string                    // the file as it was; "" if there was none

	fresh map[string]bool // those that Take has added: the client has them until now
}

// ReadBehind reads the servers that were moved before; none where there is no file.
func ReadBehind(path string) (*Behind, error) {
	b := &Behind{File: path, Servers: map[string]map[string]any{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct {
		Servers map[string]map[string]any `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s: it is not of the form {\"mcpServers\": {…}}", path).WithHint("mend or remove it")
	}
	if file.Servers != nil {
		b.Servers = file.Servers
	}
	b.Before = string(text)
	return b, nil
}

// Text returns the file.
func (b *Behind) Text() (string, error) {
	text, err := json.MarshalIndent(map[string]any{"mcpServers": b.Servers}, "", "  ")
	return string(text) + "\n", err
}

// Write writes the file whole or not at all.
func (b *Behind) Write() error {
	text, err := b.Text()
	if err != nil || text == b.Before {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(b.File), 0o700); err != nil {
		return err
	}
	return replace(b.File, text, 0o600)
}

// Remove removes the file, once the client has its servers back.
func (b *Behind) Remove() error {
	if err := os.Remove(b.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Take adds the servers of the client's file to those behind the gateway, and returns those that stay where they are, with the reason.
func (b *Behind) Take(p Place, c Client, s Scope) (stay map[string]string, err error) {
	path := p.File(c, s)
	ch, err := s.open(path)
	if err != nil {
		return nil, ch.about(err)
	}
	values, err := c.format.read(bodyOf(ch.Before))
	if err != nil {
		return nil, ch.about(err)
	}
	stay, b.fresh = map[string]string{}, map[string]bool{}
	for name, v := range c.held(values) {
		if name == Name {
			continue
		}
		moved, why := behind(v)
		if why == "" && !ctxmcp.ValidID(name) {
			why = "its name has other signs than letters, digits, _, . and -"
		}
		if why != "" {
			stay[name] = why
			continue
		}
		b.Servers[name], b.fresh[name] = moved, true
	}
	return stay, nil
}

// held returns the servers in the values of a client's file, by name.
func (c Client) held(values map[string]any) map[string]map[string]any {
	all := map[string]map[string]any{}
	var in any = values
	for _, name := range c.at {
		object, _ := in.(map[string]any)
		in = object[name]
	}
	switch in := in.(type) {
	case map[string]any:
		for name, v := range in {
			if server, ok := v.(map[string]any); ok {
				all[name] = server
			}
		}
	case []any:
		for _, v := range in {
			server, _ := v.(map[string]any)
			if name, ok := server["name"].(string); ok {
				all[name] = server
			}
		}
	}
	return all
}

// edits returns the changes of the client's file that take the servers out; earlier says that those which were taken now are none of them.
func (b *Behind) edits(c Client, earlier bool) []edit {
	var all []edit
	for _, name := range slices.Sorted(maps.Keys(b.Servers)) {
		if earlier && b.fresh[name] {
			continue
		}
		e := edit{at: c.at, name: name}
		if _, list := c.format.(yamlFile); list {
			e.name, e.mine = "", func(v any) bool {
				item, _ := v.(map[string]any)
				return item["name"] == name
			}
		}
		all = append(all, e)
	}
	return all
}

// The fields of a server in the forms of clients, and those that concern the client alone.
var (
	nameFields   = map[string]string{"cwd": "cwd", "url": "url", "httpUrl": "url", "serverUrl": "url", "headers": "headers", "http_headers": "headers", "env": "env", "environment": "env"}
	clientFields = []string{
		"type", "transport", "name", "source", "enabled", "disabled", "trust", "timeout", "alwaysAllow", "autoApprove", "description", "gallery", "version",
		"startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec", "default_tools_approval_mode", "connectionTimeout", "disabledTools", "excludeTools",
	}
	// environmentOf are the ways of clients to name a variable of the environment.
	environmentOf = regexp.MustCompile(`\$\{env:([A-Za-z_]\w*)\}|\{env:([A-Za-z_]\w*)\}`)
	otherOf       = regexp.MustCompile(`\$\{(input:|workspaceFolder|userHome|pathSeparator|/|\{)|\{file:`)
)

// behind returns a server as the gateway's file has it, or why it has to stay with its client.
func behind(v map[string]any) (out map[string]any, why string) {
	out = map[string]any{}
	for name, value := range v {
		switch field := nameFields[name]; {
		case field != "":
			out[field] = value
		case name == "command":
			why = command(value, out)
		case name == "args":
			if list, ok := value.([]any); ok && len(list) > 0 {
				out["args"] = list
			}
		case name == "oauth" || name == "auth":
			why = signsIn(value, out)
		case !slices.Contains(clientFields, name):
			why = "the gateway does not know its field " + name
		}
		if why != "" {
			return nil, why
		}
	}
	kind, _ := v["type"].(string)
	switch {
	case v["disabled"] == true || v["enabled"] == false:
		return nil, "it is switched off"
	case kind == "sse" || v["transport"] == "sse":
		return nil, "it speaks the transport of 2024 (sse)"
	case out["command"] == nil && out["url"] == nil:
		return nil, "it has neither command nor address"
	}
	text, err := json.Marshal(out)
	if err != nil || otherOf.Match(text) {
		return nil, "it names values that only its client knows"
	}
	text = environmentOf.ReplaceAll(text, []byte("$${$1$2}"))
	out = nil
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, "it cannot be read"
	}
	return out, ""
}

// command takes in a command: a text, a list with its arguments, or an object.
func command(value any, out map[string]any) (why string) {
	switch value := value.(type) {
	case string:
		out["command"] = value
	case []any:
		if len(value) == 0 {
			return "its command is empty"
		}
		out["command"] = value[0]
		if len(value) > 1 {
			out["args"] = value[1:]
		}
	case map[string]any:
		out["command"] = value["path"]
		for _, name := range []string{"args", "env"} {
			if value[name] != nil {
				out[name] = value[name]
			}
		}
	default:
		return "its command is of a form that is not known"
	}
	if text, ok := out["command"].(string); !ok || strings.TrimSpace(text) == "" {
		return "its command is of a form that is not known"
	}
	return ""
}
