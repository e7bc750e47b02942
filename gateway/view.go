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
	clashes   map[string]clash // by the name that none got
}

// tool is a tool of a server.
type tool struct {
	origin
	as      string          // its name here
	also    []string        // the names by which patterns know it too
	whole   json.RawMessage // its definition as the server sent it
	listed  json.RawMessage // its definition under its name here
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

// matches reports whether a pattern means a tool: a class, or one of its names, in which * stands for anything.
func (t tool) matches(pattern string) bool {
	if class, ok := classes[pattern]; ok {
		return class(t.hints)
	}
	return slices.ContainsFunc(append([]string{t.as}, t.also...), func(name string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
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
	g.building.Lock()
	defer g.building.Unlock()
	v := &view{byName: map[string]tool{}, clashes: map[string]clash{}}
	for _, name := range slices.Sorted(maps.Keys(g.ids)) {
		o := g.catalogue.load(g.ids[name])
		o.Server = name
		v.offers = append(v.offers, o)
	}
	if err := g.addTools(ctx, v); err != nil {
		return err
	}
	if err := g.addRest(v); err != nil {
		return err
	}
	for _, list := range [][]json.RawMessage{v.prompts, v.resources, v.templates} {
		slices.SortFunc(list, func(a, b json.RawMessage) int { return strings.Compare(sortName(a), sortName(b)) })
	}
	g.view.Store(v)
	return g.sayClashes(v)
}

// sayClashes keeps for the status which tools could not keep their own names, and tells the log of those that are new.
func (g *Gateway) sayClashes(v *view) error {
	of := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(v.clashes)) {
		for _, o := range v.clashes[name].by {
			of[o.server] = append(of[o.server], o.name)
		}
	}
	for server, id := range g.ids {
		news, err := g.catalogue.mark(id, of[server])
		if err != nil {
			return err
		}
		if news && len(of[server]) > 0 {
			g.Logger.Warn("tools have the names of others: the name of their server stays before theirs", "server", server, "tools", of[server])
		}
	}
	return nil
}

// called returns the names by which the tools can be called that wish for one name.
func (v *view) called(name string) (names []string) {
	for _, o := range v.clashes[name].by {
		for _, t := range v.tools {
			if t.origin == o {
				names = append(names, t.as)
			}
		}
	}
	slices.Sort(names)
	return names
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

// addTools adds the tools of all servers: it chooses those that are offered, then their names.
func (g *Gateway) addTools(ctx context.Context, v *view) error {
	taken := map[string]bool{}
	for _, t := range append(slices.Clone(g.Options.Taken), lazyNames...) {
		taken[t] = true
	}
	var all []origin
	for _, o := range v.offers {
		all = append(all, origins(o.Server, o.Tools)...)
	}
	whole, _ := names(all, taken)
	for _, o := range v.offers {
		pins, _, err := g.pins.of(g.ids[o.Server])
		if err != nil {
			return err
		}
		if err := v.addToolsOf(ctx, g.Options, o, pins, whole); err != nil {
			return err
		}
	}
	var wishes []wish
	for _, t := range v.tools {
		wishes = append(wishes, wish{t.origin, g.Options.Servers[t.server].Plain, t.refused == ""})
	}
	named, _, clashes := plainNames(wishes, slices.Collect(maps.Keys(g.ids)), taken)
	for _, c := range clashes {
		v.clashes[c.name] = c
	}
	for i, t := range v.tools {
		t.as = named[t.origin]
		var err error
		if t.listed, err = listed(t.whole, t.as, t.server); err != nil {
			return err
		}
		v.tools[i], v.byName[t.as] = t, t
	}
	slices.SortFunc(v.tools, func(a, b tool) int { return strings.Compare(a.as, b.as) })
	return nil
}

// addToolsOf adds the tools of a server under the names that begin with it, and says which are not offered.
func (v *view) addToolsOf(ctx context.Context, opts Options, o Offer, pins map[string]Pin, whole map[origin]string) error {
	seen := map[origin]bool{}
	for _, raw := range o.Tools {
		t := tool{origin: origin{o.Server, nameOf(raw, "name")}, whole: raw}
		if t.name == "" || seen[t.origin] {
			continue
		}
		seen[t.origin], t.as = true, whole[t.origin]
		t.also = []string{t.as}
		if opts.Servers[o.Server].Plain {
			t.also = append(t.also, t.name)
		}
		_ = json.Unmarshal(orEmpty(member(raw, "annotations")), &t.hints) // annotations of another form say nothing
		why, err := doubt(ctx, pins, raw)
		if err != nil {
			return err
		}
		t.refused = opts.filtered(t)
		if why != "" {
			t.refused = quarantineWords[why] + "; the user can look at it and approve it: ctx-mcp gateway approve " + t.as
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

// addRest adds the prompts, resources and templates of all servers.
func (g *Gateway) addRest(v *view) error {
	var wishes []wish
	for _, o := range v.offers {
		for _, of := range origins(o.Server, o.Prompts) {
			wishes = append(wishes, wish{of, g.Options.Servers[o.Server].Plain, true})
		}
	}
	named, by, _ := plainNames(wishes, slices.Collect(maps.Keys(g.ids)), map[string]bool{"brief": true})
	v.promptOf = by
	for _, o := range v.offers {
		if err := v.addRestOf(o, named); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) addRestOf(o Offer, promptNames map[origin]string) error {
	wrap := func(uri string) string { return wrapURI(o.Server, uri) }
	for _, l := range []struct {
		items []json.RawMessage
		as    string
		named func(string) string
		to    *[]json.RawMessage
	}{
		{o.Prompts, "name", func(name string) string { return promptNames[origin{o.Server, name}] }, &v.prompts},
		{o.Resources, "uri", wrap, &v.resources},
		{o.Templates, "uriTemplate", wrap, &v.templates},
	} {
		for _, raw := range l.items {
			item, err := withText(raw, l.as, l.named)
			if err != nil {
				return err
			}
			*l.to = append(*l.to, item)
		}
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
