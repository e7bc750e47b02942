package attack

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Target is something that a caller can call: a tool, or a template of resources.
type Target struct {
	Name  string  // of the tool; of a resource, its template
	Input *schema // of the tool's arguments; nil for a resource
}

// schema is the part of JSON Schema that published arguments are written in.
type schema struct {
	Type       string             `json:"type"`
	Enum       []string           `json:"enum"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Items      *schema            `json:"items"`
}

// names returns the properties in a fixed order.
func (s *schema) names() []string {
	var all []string
	for name := range s.Properties {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func (s *schema) requires(name string) bool { return slices.Contains(s.Required, name) }

// toolTargets reads the result of tools/list.
func toolTargets(result []byte) ([]Target, error) {
	var list struct {
		Tools []struct {
			Name        string  `json:"name"`
			InputSchema *schema `json:"inputSchema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(result, &list); err != nil {
		return nil, fmt.Errorf("read tools/list: %w", err)
	}
	var all []Target
	for _, t := range list.Tools {
		all = append(all, Target{Name: t.Name, Input: t.InputSchema})
	}
	return all, nil
}

// resourceTargets reads the results of resources/templates/list and resources/list.
func resourceTargets(templates, resources []byte) ([]Target, error) {
	var list struct {
		Templates []struct {
			URI string `json:"uriTemplate"`
		} `json:"resourceTemplates"`
		Resources []struct {
			URI string `json:"uri"`
		} `json:"resources"`
	}
	for _, result := range [][]byte{templates, resources} {
		if err := json.Unmarshal(result, &list); err != nil {
			return nil, fmt.Errorf("read the list of resources: %w", err)
		}
	}
	var all []Target
	for _, t := range list.Templates {
		all = append(all, Target{Name: t.URI})
	}
	for _, r := range list.Resources {
		all = append(all, Target{Name: r.URI})
	}
	return all, nil
}

var variable = regexp.MustCompile(`\{[^}]*\}`)

// uri fills the variables of a template.
func (t Target) uri(fill func(name string) string) string {
	return variable.ReplaceAllStringFunc(t.Name, func(v string) string { return fill(strings.Trim(v, "{}+/#.?&*")) })
}
