package gateway

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// view is what the clients see of the servers: made from the catalogue and the pins, and never changed.
type view struct {
	tools     []tool // sorted by name, those too that are not offered
	byName    map[string]tool
	prompts   []json.RawMessage
	promptOf  map[string]origin
	resources []json.RawMessage
	templates []json.RawMessage
	offers    []Offer
}

// tool is a tool of a server.
type tool struct {
	origin
	as      string          // its name here
	listed  json.RawMessage // its definition under that name
	refused string          // why it is not offered; "": it is
	hints
}

// hints are the annotations of a tool, as far as they are given.
type hints struct {
	ReadOnly    *bool `json:"readOnlyHint"`
	Destructive *bool `json:"destructiveHint"`
	OpenWorld   *bool `json:"openWorldHint"`
}

// reads reports whether a tool says that it changes nothing.
func (h hints) reads() bool { return h.ReadOnly != nil && *h.ReadOnly }

// classes are the words for tools by their annotations, as patterns name them. What is not said counts as the protocol has it.
var classes = map[string]func(hints) bool{
	"@read-only":   hints.reads,
	"@destructive": func(h hints) bool { return !h.reads() && (h.Destructive == nil || *h.Destructive) },
	"@open-world":  func(h hints) bool { return h.OpenWorld == nil || *h.OpenWorld },
}

// matches reports whether a pattern means a tool: a class, or its name here, in which * stands for anything.
func (t tool) matches(pattern string) bool {
	if class, ok := classes[pattern]; ok {
		return class(t.hints)
	}
	ok, err := path.Match(pattern, t.as)
	return ok && err == nil
}

// CheckPattern reports whether a pattern of Options can be meant.
func CheckPattern(pattern string) bool {
	_, err := path.Match(pattern, "")
	return err == nil && (classes[pattern] != nil || !strings.HasPrefix(pattern, "@"))
}

// filtered returns why the configuration does not offer a tool; "" if it does.
func (o Options) filtered(t tool) string {
	switch {
	case slices.ContainsFunc(o.Deny, t.matches):
		return "the configuration denies it (gateway.deny)"
	case len(o.Allow) > 0 && !slices.ContainsFunc(o.Allow, t.matches):
		return "the configuration does not allow it (gateway.allow)"
	case o.ReadOnly && !t.reads():
		return "the gateway is read-only, and the tool does not say that it changes nothing"
	}
	return ""
}

// rebuild makes the view anew.
func (g *Gateway) rebuild(ctx context.Context) error {
	v := &view{byName: map[string]tool{}}
	var toolOrigins, promptOrigins []origin
	for _, name := range slices.Sorted(maps.Keys(g.ids)) {
		o := g.catalogue.load(g.ids[name])
		o.Server = name
		v.offers = append(v.offers, o)
		toolOrigins, promptOrigins = append(toolOrigins, origins(name, o.Tools)...), append(promptOrigins, origins(name, o.Prompts)...)
	}
	taken := map[string]bool{}
	for _, t := range append(slices.Clone(g.Options.Taken), lazyNames...) {
		taken[t] = true
	}
	toolNames, _ := names(toolOrigins, taken)
	promptNames, by := names(promptOrigins, map[string]bool{"brief": true})
	v.promptOf = by
	for _, o := range v.offers {
		pins, _, err := g.pins.of(g.ids[o.Server])
		if err != nil {
			return err
		}
		if err := v.addTools(ctx, g.Options, o, pins, toolNames); err != nil {
			return err
		}
		if err := v.addRest(o, promptNames); err != nil {
			return err
		}
	}
	slices.SortFunc(v.tools, func(a, b tool) int { return strings.Compare(a.as, b.as) })
	for _, t := range v.tools {
		v.byName[t.as] = t
	}
	for _, list := range [][]json.RawMessage{v.prompts, v.resources, v.templates} {
		slices.SortFunc(list, func(a, b json.RawMessage) int { return strings.Compare(sortName(a), sortName(b)) })
	}
	g.view.Store(v)
	return nil
}

func sortName(item json.RawMessage) string {
	return nameOf(item, "name") + "\x00" + nameOf(item, "uri") + nameOf(item, "uriTemplate")
}

func origins(server string, items []json.RawMessage) (all []origin) {
	for _, item := range items {
		if o := (origin{server, nameOf(item, "name")}); o.name != "" && !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b origin) int { return strings.Compare(a.name, b.name) })
	return all
}

func (v *view) addTools(ctx context.Context, opts Options, o Offer, pins map[string]Pin, named map[origin]string) error {
	seen := map[origin]bool{}
	for _, raw := range o.Tools {
		t := tool{origin: origin{o.Server, nameOf(raw, "name")}}
		if t.name == "" || seen[t.origin] {
			continue
		}
		seen[t.origin], t.as = true, named[t.origin]
		_ = json.Unmarshal(orEmpty(member(raw, "annotations")), &t.hints) // annotations of another form say nothing
		why, err := doubt(ctx, pins, raw)
		if err != nil {
			return err
		}
		t.refused = opts.filtered(t)
		if why != "" {
			t.refused = quarantineWords[why] + "; the user can look at it and approve it: ctx-mcp gateway approve " + t.as
		}
		if t.listed, err = listed(raw, t.as, o.Server); err != nil {
			return err
		}
		v.tools = append(v.tools, t)
	}
	return nil
}

var quarantineWords = map[Doubt]string{
	NewTool:     "it is held back, because its server did not have it when its tools were first seen",
	ChangedTool: "it is held back, because its definition has changed",
	Instructing: "it is held back, because its definition holds instructions",
}

// listed returns the definition of a tool under its name here. The pages that it names for a client to show are resources here.
func listed(raw json.RawMessage, as, server string) (json.RawMessage, error) {
	change := map[string]json.RawMessage{"name": textOf(as)}
	if meta := member(raw, "_meta"); meta != nil {
		wrap := func(uri string) string { return wrapURI(server, uri) }
		renamed, err := withText(meta, "ui/resourceUri", wrap)
		if ui := member(renamed, "ui"); err == nil && nameOf(ui, "resourceUri") != "" {
			if ui, err = withText(ui, "resourceUri", wrap); err == nil {
				renamed, err = with(renamed, map[string]json.RawMessage{"ui": ui})
			}
		}
		if err == nil {
			change["_meta"] = renamed
		}
	}
	return with(raw, change)
}

func (v *view) addRest(o Offer, promptNames map[origin]string) error {
	wrap := func(uri string) string { return wrapURI(o.Server, uri) }
	for _, raw := range o.Prompts {
		item, err := withText(raw, "name", func(name string) string { return promptNames[origin{o.Server, name}] })
		if err != nil {
			return err
		}
		v.prompts = append(v.prompts, item)
	}
	for _, raw := range o.Resources {
		item, err := withText(raw, "uri", wrap)
		if err != nil {
			return err
		}
		v.resources = append(v.resources, item)
	}
	for _, raw := range o.Templates {
		item, err := withText(raw, "uriTemplate", wrap)
		if err != nil {
			return err
		}
		v.templates = append(v.templates, item)
	}
	return nil
}

// merged returns the result of a list of the server itself with more items behind its own.
func merged(own json.RawMessage, name string, more []json.RawMessage) (json.RawMessage, error) {
	var items []json.RawMessage
	if raw := member(own, name); raw != nil {
		if err := json.Unmarshal(raw, &items); err != nil {
			return nil, err
		}
	}
	all, err := ijson.Compact(append(append([]json.RawMessage{}, items...), more...))
	if err != nil {
		return nil, err
	}
	return with(own, map[string]json.RawMessage{name: all})
}
