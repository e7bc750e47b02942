package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Pin is the definition of a tool that may be offered: as it was seen first, or as a person approved it.
type Pin struct {
	Digest     string          `json:"digest"`
	Definition json.RawMessage `json:"definition"`
	At         time.Time       `json:"at"`
	Approved   bool            `json:"approved,omitempty"` // by a person
}

// Doubt is why a tool is not offered.
type Doubt string

// The doubts.
const (
	NewTool      Doubt = "new"          // the server did not have it when its tools were pinned
	ChangedTool  Doubt = "changed"      // it differs from its pin
	Instructing  Doubt = "instructions" // its definition speaks to a model, or hides text
	maxToolBytes       = 256 << 10
)

// Pins keeps the pins of all servers in a file, which several processes may change.
type Pins struct {
	Dir string
	Now func() time.Time

	mu    sync.Mutex
	stamp string // of the file that was read
	all   map[string]map[string]Pin
}

func (p *Pins) path() string { return filepath.Join(p.Dir, "pins.json") }

// read brings the pins up to date with the file, and reports whether they changed.
func (p *Pins) read() (changed bool, err error) {
	info, err := os.Stat(p.path())
	stamp := ""
	if err == nil {
		stamp = info.ModTime().String() + "/" + time.Duration(info.Size()).String()
	} else if !missing(err) {
		return false, err
	}
	if p.all != nil && stamp == p.stamp {
		return false, nil
	}
	all := map[string]map[string]Pin{}
	if stamp != "" {
		text, err := os.ReadFile(p.path())
		if err == nil {
			err = json.Unmarshal(text, &all)
		}
		if err != nil {
			return false, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the pins of the tools cannot be read").WithCause(err).WithHint("mend or remove %s", p.path())
		}
	}
	p.all, p.stamp = all, stamp
	return true, nil
}

// of returns the pins of a server, and whether it has some or had been pinned without any.
func (p *Pins) of(id string) (map[string]Pin, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.read()
	pins, seen := p.all[id]
	return pins, seen, err
}

// refreshed reports whether the file has changed since it was read.
func (p *Pins) refreshed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed, err := p.read()
	return changed && err == nil
}

// change changes the pins of a server while no other process does.
func (p *Pins) change(id string, do func(map[string]Pin) map[string]Pin) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := os.MkdirAll(p.Dir, 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(p.Dir, "pins.lock"))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Unlock()
	p.all = nil
	if _, err := p.read(); err != nil {
		return err
	}
	p.all[id] = do(p.all[id])
	text, err := ijson.Compact(p.all)
	if err == nil {
		err = writeFile(p.path(), text)
	}
	p.all = nil
	return err
}

// settling is how long a server may add tools after it was first seen: some do once they know what the client can do.
const settling = 10 * time.Second

// settled reports whether the pins are older than that.
func settled(pins map[string]Pin, now time.Time) bool {
	for _, pin := range pins {
		if !pin.Approved && now.Sub(pin.At) < settling {
			return false
		}
	}
	return true
}

// firstSeen pins the tools of a server that was never seen, but for those that hold instructions.
func (p *Pins) firstSeen(ctx context.Context, id string, tools []json.RawMessage) error {
	before, seen, err := p.of(id)
	if err != nil || seen && settled(before, p.Now()) {
		return err
	}
	first := p.Now()
	for _, pin := range before {
		first = pin.At
	}
	clean := map[string]Pin{}
	for _, t := range tools {
		found, err := instructions(ctx, t)
		if err != nil {
			return err
		}
		if name := nameOf(t, "name"); name != "" && len(found) == 0 {
			clean[name] = Pin{Digest: digestOf(t), Definition: t, At: first}
		}
	}
	return p.change(id, func(now map[string]Pin) map[string]Pin {
		if now == nil {
			now = map[string]Pin{}
		}
		for name, pin := range clean {
			if _, known := now[name]; !known {
				now[name] = pin
			}
		}
		return now
	})
}

// approve pins a tool as it is.
func (p *Pins) approve(id string, tool json.RawMessage) error {
	return p.change(id, func(now map[string]Pin) map[string]Pin {
		if now == nil {
			now = map[string]Pin{}
		}
		now[nameOf(tool, "name")] = Pin{Digest: digestOf(tool), Definition: tool, At: p.Now(), Approved: true}
		return now
	})
}

// doubt returns why a tool must not be offered; "" if it may.
func doubt(ctx context.Context, pins map[string]Pin, tool json.RawMessage) (Doubt, error) {
	pin, pinned := pins[nameOf(tool, "name")]
	if pinned && pin.Digest == digestOf(tool) {
		return "", nil
	}
	found, err := instructions(ctx, tool)
	switch {
	case err != nil:
		return "", err
	case len(found) > 0:
		return Instructing, nil
	case pinned:
		return ChangedTool, nil
	}
	return NewTool, nil
}

// digestOf returns the digest of the members of a tool that a model or a client goes by.
func digestOf(tool json.RawMessage) string {
	var parts map[string]json.RawMessage
	if json.Unmarshal(tool, &parts) != nil {
		return ctxmcp.Digest(tool)
	}
	seen := map[string]any{}
	for _, name := range []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations"} {
		if v, err := ijson.Parse(parts[name]); err == nil {
			seen[name] = v
		}
	}
	text, err := ijson.Compact(seen)
	if err != nil {
		return ctxmcp.Digest(tool)
	}
	return ctxmcp.Digest(text)
}

// instructions returns the kinds of text in a definition that speak to a model or hide from a reader.
func instructions(ctx context.Context, definition json.RawMessage) (kinds []string, err error) {
	if len(definition) > maxToolBytes {
		return []string{"too large"}, nil
	}
	v, err := ijson.Parse(definition)
	if err != nil {
		return nil, err
	}
	var texts []string
	eachText(v, "", func(_, text string) string { texts = append(texts, text); return text })
	warnings, err := containment.Report(ctx, strings.Join(texts, "\n"))
	for _, w := range warnings {
		kinds = append(kinds, w.Kind)
	}
	return kinds, err
}

// Quarantined is a tool that is not offered.
type Quarantined struct {
	Server, Tool string
	Name         string // as the gateway would offer it
	Doubt        Doubt
	Kinds        []string // of instructions that were found
	id           string   // of the server in the book
	Was, Is      string   // the definitions, indented; Was is empty for a tool without a pin
}

// quarantine lists the tools of a server that are not offered, sorted.
func quarantine(ctx context.Context, name string, o Offer, pins map[string]Pin) (all []Quarantined, err error) {
	for _, t := range o.Tools {
		why, err := doubt(ctx, pins, t)
		if err != nil {
			return nil, err
		}
		if why == "" {
			continue
		}
		q := Quarantined{Server: name, Tool: nameOf(t, "name"), Doubt: why, Is: indented(t)}
		if q.Kinds, err = instructions(ctx, t); err != nil {
			return nil, err
		}
		if pin, ok := pins[q.Tool]; ok {
			q.Was = indented(pin.Definition)
		}
		all = append(all, q)
	}
	slices.SortFunc(all, func(a, b Quarantined) int { return cmp.Compare(a.Tool, b.Tool) })
	return all, nil
}

func indented(raw json.RawMessage) string {
	v, err := ijson.Parse(raw)
	if err != nil {
		return string(raw)
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return string(raw)
	}
	return string(text) + "\n"
}
