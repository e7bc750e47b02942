package tools

import (
	"reflect"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/schema"
)

// Toolset groups tools for the configuration, or names a profile of them. The words are written in configuration files: append only.
type Toolset string

// The toolsets.
const (
	MemoryTools   Toolset = "memory"
	ArtifactTools Toolset = "artifacts"
	TaskTools     Toolset = "tasks"
	ContextTools  Toolset = "context"
	ActionTools   Toolset = "actions"
	AdminTools    Toolset = "admin"
)

// The profiles: the tools that one sort of caller can use.
const (
	// AgentProfile holds the tools that a model uses itself, defined by the arguments that a model sets. A call may have all others too.
	AgentProfile Toolset = "agent"
	// HarnessProfile holds the tools of a program that runs a model: all but those of administration.
	HarnessProfile Toolset = "harness"
)

// Profiles lists the vocabulary of profiles.
func Profiles() []Toolset { return []Toolset{AgentProfile, HarnessProfile} }

// DefaultToolsets lists what is offered unless the configuration says otherwise.
func DefaultToolsets() []Toolset { return []Toolset{HarnessProfile} }

// holds reports whether a tool belongs to the toolset or the profile.
func (s Toolset) holds(t Tool) bool {
	switch s {
	case AgentProfile:
		return !t.Harness && t.Toolset != AdminTools
	case HarnessProfile:
		return t.Toolset != AdminTools
	}
	return s == t.Toolset
}

// Toolsets lists the vocabulary.
func Toolsets() []Toolset {
	return []Toolset{MemoryTools, ArtifactTools, TaskTools, ContextTools, ActionTools, AdminTools}
}

// Select returns the tools that the options choose, by name. One that stands in the profile of agents alone has its short definition.
func Select(o Options) []Tool {
	sets := o.Toolsets
	if len(sets) == 0 {
		sets = DefaultToolsets()
	}
	whole := slices.DeleteFunc(slices.Clone(sets), func(s Toolset) bool { return s == AgentProfile })
	var chosen []Tool
	for _, t := range All() { // each has a t of its own
		holds := func(s Toolset) bool { return s.holds(t) }
		if !slices.ContainsFunc(sets, holds) || o.ReadOnly && !t.ReadOnly() {
			continue
		}
		if !slices.ContainsFunc(whole, holds) {
			whole := t.checker
			t.MCP, t.checker = t.short, func() *schema.Checker { return whole().Without(ofHarness(t.Arguments, "")...) }
		}
		chosen = append(chosen, t)
	}
	slices.SortFunc(chosen, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	return chosen
}

// Offers reports whether the options choose the tool of that name.
func (o Options) Offers(name string) bool {
	return slices.ContainsFunc(Select(o), func(t Tool) bool { return t.Name == name })
}

// ofHarness returns the paths of the arguments that a program sets, and no model: those with the tag for:"harness".
func ofHarness(t reflect.Type, at string) (paths []string) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
		case f.Tag.Get("for") == "harness":
			paths = append(paths, at+name)
		case f.Type.Kind() == reflect.Struct && !isTime(f.Type):
			paths = append(paths, ofHarness(f.Type, at+name+".")...)
		}
	}
	return paths
}
