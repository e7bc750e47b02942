package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// Offer is what a server offers, as it was seen last. Its items are as the server sent them, but for secrets.
type Offer struct {
	Server       string            `json:"server"`
	Seen         time.Time         `json:"seen"`
	Tried        time.Time         `json:"tried"`
	Error        string            `json:"error,omitempty"` // of the last try; the rest is of an earlier one then
	Capabilities json.RawMessage   `json:"capabilities,omitempty"`
	Info         json.RawMessage   `json:"info,omitempty"`
	Instructions string            `json:"instructions,omitempty"`
	Tools        []json.RawMessage `json:"tools,omitempty"`
	Prompts      []json.RawMessage `json:"prompts,omitempty"`
	Resources    []json.RawMessage `json:"resources,omitempty"`
	Templates    []json.RawMessage `json:"templates,omitempty"`
	Prefixed     []string          `json:"prefixed,omitempty"` // tools that keep the name of the server before theirs, against the file: theirs is another's too
}

// has reports whether the server has a capability.
func (o Offer) has(capability string) bool {
	var all map[string]json.RawMessage
	return json.Unmarshal(o.Capabilities, &all) == nil && all[capability] != nil
}

// lists are the lists of a server: the capability that they belong to, the method, the member of the result, and the place of the items.
var lists = []struct {
	capability, method, member string
	of                         func(*Offer) *[]json.RawMessage
}{
	{"tools", "tools/list", "tools", func(o *Offer) *[]json.RawMessage { return &o.Tools }},
	{"prompts", "prompts/list", "prompts", func(o *Offer) *[]json.RawMessage { return &o.Prompts }},
	{"resources", "resources/list", "resources", func(o *Offer) *[]json.RawMessage { return &o.Resources }},
	{"resources", "resources/templates/list", "resourceTemplates", func(o *Offer) *[]json.RawMessage { return &o.Templates }},
}

// The bounds of what a server may offer.
const (
	maxPages = 200
	maxItems = 5000
)

// fetch asks a server for all that it offers.
func fetch(ctx context.Context, c *connection, hide func(json.RawMessage) (json.RawMessage, error)) (Offer, error) {
	o := Offer{Server: c.key.server, Capabilities: c.hello.Capabilities, Info: c.hello.Info, Instructions: c.hello.Instructions}
	for _, l := range lists {
		if !o.has(l.capability) {
			continue
		}
		items, err := fetchList(ctx, c, l.method, l.member)
		if err != nil {
			return o, fmt.Errorf("%s: %w", l.method, err)
		}
		for i := range items {
			if items[i], err = hide(items[i]); err != nil {
				return o, err
			}
		}
		*l.of(&o) = items
	}
	clean, err := hide(textOf(o.Instructions))
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(clean, &o.Instructions)
}

// textOf returns a text as JSON.
func textOf(text string) json.RawMessage {
	out, err := ijson.Compact(text)
	if err != nil {
		panic(err) // a string is always JSON
	}
	return out
}

// fetchList asks for the pages of a list. A list that a server says to have and does not know is empty.
func fetchList(ctx context.Context, c *connection, method, member string) (all []json.RawMessage, err error) {
	params := json.RawMessage(`{}`)
	for range maxPages {
		reply, err := c.request(ctx, serve.Peer{}, method, params)
		if err != nil {
			return nil, err
		}
		if reply.Error != nil {
			if method == "resources/templates/list" {
				return all, nil
			}
			return nil, fmt.Errorf("refused: %s", reply.Error)
		}
		var page map[string]json.RawMessage
		var items []json.RawMessage
		var cursor string
		if err := json.Unmarshal(reply.Result, &page); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(page[member], &items); err != nil {
			return nil, err
		}
		if raw := page["nextCursor"]; raw != nil {
			_ = json.Unmarshal(raw, &cursor) // one that is no text is none
		}
		if all = append(all, items...); cursor == "" || len(all) > maxItems {
			return all[:min(len(all), maxItems)], nil
		}
		params = json.RawMessage(`{"cursor":` + string(textOf(cursor)) + `}`)
	}
	return all, nil
}

// nameOf returns a text member of an item.
func nameOf(item json.RawMessage, member string) string {
	var parts map[string]json.RawMessage
	var name string
	if json.Unmarshal(item, &parts) == nil {
		_ = json.Unmarshal(parts[member], &name) // an item without a name is left out
	}
	return name
}

// Catalogue keeps the offers of servers on disk, so that lists are answered before any server has started.
type Catalogue struct {
	Dir string

	mu     sync.Mutex
	offers map[string]Offer
}

// load returns the offer that is kept of a server, an empty one where none is.
func (c *Catalogue) load(id string) Offer {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o, ok := c.offers[id]; ok {
		return o
	}
	var o Offer
	text, err := os.ReadFile(c.path(id))
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		o = Offer{}
	}
	c.hold(id, o)
	return o
}

func (c *Catalogue) hold(id string, o Offer) {
	if c.offers == nil {
		c.offers = map[string]Offer{}
	}
	c.offers[id] = o
}

func (c *Catalogue) path(id string) string { return filepath.Join(c.Dir, id+".json") }

// store keeps an offer, and returns the lists that differ from the one before, by their capability.
func (c *Catalogue) store(id string, o Offer) (changed []string, err error) {
	before := c.load(id)
	for _, l := range lists {
		same := slices.EqualFunc(*l.of(&before), *l.of(&o), func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
		if !same && !slices.Contains(changed, l.capability) {
			changed = append(changed, l.capability)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	o.Prefixed = c.offers[id].Prefixed
	return changed, c.write(id, o)
}

// mark keeps which tools of a server could not keep their own names, and reports whether that is news.
func (c *Catalogue) mark(id string, prefixed []string) (news bool, err error) {
	o := c.load(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if o = c.offers[id]; slices.Equal(o.Prefixed, prefixed) {
		return false, nil
	}
	o.Prefixed = prefixed
	return true, c.write(id, o)
}

func (c *Catalogue) write(id string, o Offer) error {
	c.hold(id, o)
	text, err := ijson.Compact(o)
	if err != nil {
		return err
	}
	return writeFile(c.path(id), text)
}

// writeFile writes a file of the owner's whole or not at all.
func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it may not be there
	}
	return err
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
