package connect

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Secret is a value of a server behind the gateway that is to be kept elsewhere: of its env or its headers, or a part of an argument or of its address.
type Secret struct {
	Server, Part, Name, Value string

	refer func(reference string) // puts the reference in the place of the value
}

// Secrets returns the values of the servers that Take has added for which is says so, sorted. Those that name a variable are none: they hold nothing.
func (b *Behind) Secrets(is func(name, value string) bool) (all []Secret) {
	for _, server := range slices.Sorted(maps.Keys(b.fresh)) {
		for _, part := range []string{"env", "headers"} {
			values, _ := b.Servers[server][part].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(values)) {
				value, ok := values[name].(string)
				if ok && value != "" && !strings.Contains(value, "${") && is(name, value) {
					all = append(all, Secret{server, part, name, value, func(ref string) { values[name] = ref }})
				}
			}
		}
		all = append(all, outside(server, b.Servers[server], is)...)
	}
	return all
}

// Refer has the gateway's file name a secret in the place of its value.
func (b *Behind) Refer(s Secret, name string) { s.refer("${vault:" + name + "}") }

// reference is the place of a secret in a value.
var reference = regexp.MustCompile(`\$\{vault:([^}]*)\}`)

// References returns the names of secrets under a prefix that the servers refer to, sorted.
func (b *Behind) References(prefix string) (names []string) {
	for _, server := range b.Servers {
		for _, text := range texts(server) {
			for _, m := range reference.FindAllStringSubmatch(text, -1) {
				if strings.HasPrefix(m[1], prefix) {
					names = append(names, m[1])
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// Remote returns the servers that Take has added and that have an address and no Authorization, sorted: the client may have signed in to them.
func (b *Behind) Remote() (names []string) {
	for name := range b.fresh {
		headers, _ := b.Servers[name]["headers"].(map[string]any)
		authorized := slices.ContainsFunc(slices.Collect(maps.Keys(headers)), func(h string) bool { return strings.EqualFold(h, "Authorization") })
		if b.Servers[name]["url"] != nil && !authorized {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Outside returns the secrets of the servers of a client's file that stand in neither env nor headers. It returns none for a file that cannot be read.
func (c Client) Outside(text string, is func(name, value string) bool) (values []string) {
	all, err := c.format.read(bodyOf(text))
	if err != nil {
		return nil
	}
	for name, server := range c.held(all) {
		moved, why := behind(server)
		if why != "" {
			continue
		}
		for _, s := range outside(name, moved, is) {
			values = append(values, s.Value)
		}
	}
	return values
}

// leastPrivate is how long a value is that Private returns: shorter ones are words such as "on".
const leastPrivate = 8

// Private returns the values of a client's file that nobody else has to see: those of env, headers and sign-ins, and the passwords and queries of
// addresses. Paths and names of variables are none. It returns none for a file that cannot be read.
func (c Client) Private(text string) (all []string) {
	values, err := c.format.read(bodyOf(text))
	if err != nil {
		return nil
	}
	for _, server := range c.held(values) {
		for name, value := range server {
			switch {
			case nameFields[name] == "env", nameFields[name] == "headers", name == "oauth", name == "auth":
				all = append(all, texts(value)...)
			case nameFields[name] == "url":
				all = append(all, inAddress(value)...)
			}
		}
		command, _ := server["command"].(map[string]any) // Zed
		all = append(all, texts(command["env"])...)
	}
	all = slices.DeleteFunc(all, func(v string) bool {
		return len(v) < leastPrivate || strings.ContainsAny(v[:1], "/~") || strings.Contains(v, "${") || strings.Contains(v, "{env:")
	})
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) }) // a part of another is hidden after it
	return all
}

func inAddress(value any) (all []string) {
	text, _ := value.(string)
	for _, v := range addressed(text) {
		all = append(all, text[v.begin:v.end])
	}
	return all
}

// texts returns the texts in a value.
func texts(value any) (all []string) {
	switch value := value.(type) {
	case string:
		return []string{value}
	case map[string]any:
		for _, v := range value {
			all = append(all, texts(v)...)
		}
	case []any:
		for _, v := range value {
			all = append(all, texts(v)...)
		}
	}
	return all
}

// signsIn takes in how a client signs in to a server, or says why the server stays: a client that was registered by hand comes back to an address of its own.
func signsIn(value any, out map[string]any) (why string) {
	object, ok := value.(map[string]any)
	if !ok {
		if value == false { // opencode
			return ""
		}
		return "its sign-in is of a form that is not known"
	}
	scopes := []string{}
	for name, v := range object {
		switch name {
		case "enabled":
			if v != true {
				return "its sign-in is switched off"
			}
		case "scopes", "scope":
			for _, text := range texts(v) {
				scopes = append(scopes, strings.Fields(text)...)
			}
		default:
			return "its sign-in is registered for its client alone (" + name + ")"
		}
	}
	if len(scopes) > 0 {
		out["oauth"] = map[string]any{"scopes": scopes}
	}
	return ""
}

// Hidden returns a text with the values in it hidden, as they are and as JSON has them.
func Hidden(text string, values []string) string {
	for _, v := range values {
		text = strings.ReplaceAll(text, v, "[hidden]")
		if quoted, err := json.Marshal(v); err == nil {
			text = strings.ReplaceAll(text, strings.Trim(string(quoted), `"`), "[hidden]")
		}
	}
	return text
}
