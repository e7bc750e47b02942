package tasks

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/fieldname"
	"github.com/ctx-mcp/ctx-mcp/artifacts/fields"
)

// Ask declares the fields that a task needs.
type Ask struct {
	ID          string
	Fields      []string // names, or JSONPath
	ArtifactIDs []string // to look in, in this order; empty: those of the task, then those of its parents
	Expected    *int     // the version of the state; nil: whichever
	MaxTokens   int      // of all values; default 2000
}

// Declared holds the values that were found of them.
type Declared struct {
	ID      string
	Version int
	Fields  map[string]Field
	Missing []string          // without a value
	Named   map[string]string // the artifact that names one of Missing, with several values or none
	Omitted []string          // found, but over the tokens
	Tokens  int
	Counter string
}

// Field is one value, with where it stands.
type Field struct {
	Value    json.RawMessage `json:"value" jsonschema_description:"Any JSON"`
	Artifact string          `json:"artifact_id,omitempty"`
	Task     string          `json:"task_id,omitempty" jsonschema_description:"Whose metadata has it, where no artifact does"`
	Path     string          `json:"path"`             // normalised JSONPath, or "line 3" of a text
	Values   int             `json:"values,omitempty"` // under the name, of which this is the first; 0: it is the one
}

const (
	maxFields     = 100
	defaultTokens = 2000
	rawField      = "_raw" // names the whole text of an artifact that is not JSON
	maxRaw        = 1 << 20
)

// Declare resolves the fields in the artifacts of the task: of each, the newest artifact that has it at its top, else the newest that has it
// anywhere, whose path says where, else the newest that gives it a value under a name of other signs and case, in JSON, a table or a line of text; and
// where no artifact is named and none has it, the metadata of the task, then of its parents.
// It reads of an artifact what it needs. It returns CodeConflict if the state has another version than expected, CodeNotFound for a task that does
// not exist for the caller.
func (s *Service) Declare(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask Ask) (Declared, error) {
	selectors, err := ask.selectors()
	if err != nil {
		return Declared{}, err
	}
	state, err := s.existing(ctx, by, at, ask.ID)
	if err != nil {
		return Declared{}, err
	}
	if ask.Expected != nil && *ask.Expected != state.Version {
		return Declared{}, Moved(ask.ID, state.Version)
	}
	within, err := s.sources(ctx, by, at, ask)
	if err != nil {
		return Declared{}, err
	}
	out := Declared{ID: ask.ID, Version: state.Version, Fields: map[string]Field{}, Missing: []string{}, Counter: s.Counter.Name()}
	most := ask.MaxTokens
	if most == 0 {
		most = defaultTokens
	}
	found, named, err := s.values(ctx, within, selectors)
	if err != nil {
		return Declared{}, err
	}
	if len(ask.ArtifactIDs) == 0 {
		if err := s.inMetadata(ctx, by, at, ask.ID, selectors, found); err != nil {
			return Declared{}, err
		}
	}
	for _, sel := range selectors {
		name := sel.String()
		field := found[name]
		if field == nil {
			out.miss(name, named[name])
			continue
		}
		cost := s.Counter.Count(name) + s.Counter.Count(string(field.Value))
		if out.Tokens+cost > most {
			out.Omitted = append(out.Omitted, name)
			continue
		}
		out.Tokens += cost
		out.Fields[name] = *field
	}
	return out, nil
}

// miss notes a field without a value, and the artifact that names it; "" if none does.
func (d *Declared) miss(field, named string) {
	d.Missing = append(d.Missing, field)
	if named == "" {
		return
	}
	if d.Named == nil {
		d.Named = map[string]string{}
	}
	d.Named[field] = named
}

func (a Ask) selectors() ([]fields.Selector, error) {
	switch {
	case len(a.Fields) == 0 || len(a.Fields) > maxFields:
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "name 1 to %d fields", maxFields)
	case a.MaxTokens < 0:
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens is negative")
	}
	var list []fields.Selector
	for i, text := range a.Fields {
		if slices.Contains(a.Fields[:i], text) {
			continue
		}
		sel, err := fields.Parse(text)
		if err != nil {
			return nil, err
		}
		list = append(list, sel)
	}
	return list, nil
}

// sources returns the artifacts to look in.
func (s *Service) sources(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask Ask) ([]ctxmcp.Artifact, error) {
	from := at
	from.Task = ask.ID
	if len(ask.ArtifactIDs) > 0 {
		return s.Artifacts.Find(ctx, by, from, ask.ArtifactIDs...)
	}
	chain, err := s.Lineage(ctx, by, at, ask.ID)
	if err != nil {
		return nil, err
	}
	var all []ctxmcp.Artifact
	for _, task := range chain {
		state, err := s.find(ctx, by, at, task)
		if err != nil {
			return nil, err
		}
		if state.ID = task; state.Version == 0 {
			state.Artifacts = nil
		}
		refs, err := s.remaining(ctx, by, from, state)
		if err != nil {
			return nil, err
		}
		slices.Reverse(refs)                                                                                // of the same instant, what was named last
		slices.SortStableFunc(refs, func(a, b ctxmcp.Artifact) int { return b.Created.Compare(a.Created) }) // a task that ran again has new ones
		for _, a := range refs {
			if !slices.ContainsFunc(all, func(b ctxmcp.Artifact) bool { return b.ID == a.ID }) {
				all = append(all, a)
			}
		}
	}
	return all, nil
}

// resolve returns the field from the first artifact that has it, or nil.
func (s *Service) resolve(ctx context.Context, within []ctxmcp.Artifact, sel fields.Selector) (*Field, error) {
	for _, a := range within {
		if a.Binary {
			continue
		}
		key := cacheKey{a.Digest, a.MediaType, sel.String()}
		v, known := s.cache.get(key)
		if !known {
			var err error
			if v, err = s.read(ctx, a, sel); err != nil {
				return nil, err
			}
			s.cache.put(key, v)
		}
		if v != nil {
			return &Field{Value: v.JSON, Artifact: a.ID, Path: v.Path}, nil
		}
	}
	return nil, nil
}

// anywhere returns the field of a plain name from the first artifact that has it at any depth: its first value there.
func (s *Service) anywhere(ctx context.Context, within []ctxmcp.Artifact, sel fields.Selector) (*Field, error) {
	deep, plain := sel.Anywhere()
	if !plain {
		return nil, nil
	}
	found, err := s.resolve(ctx, within, deep)
	if ctxmcp.CodeOf(err) == ctxmcp.CodeTooLarge { // the top of it was looked at, whatever its size
		return nil, nil
	}
	var all []json.RawMessage
	if found == nil || json.Unmarshal(found.Value, &all) != nil || len(all) == 0 {
		return nil, err
	}
	found.Value = all[0]
	if len(all) > 1 {
		found.Values = len(all)
	}
	return found, err
}

// values returns the fields that have a value, and for others the artifact that names them.
func (s *Service) values(ctx context.Context, within []ctxmcp.Artifact, selectors []fields.Selector) (found map[string]*Field, named map[string]string, err error) {
	found, named = map[string]*Field{}, map[string]string{}
	missing := map[string]fieldname.Name{}
	for _, sel := range selectors {
		field, err := s.resolve(ctx, within, sel)
		if err == nil && field == nil {
			field, err = s.anywhere(ctx, within, sel)
		}
		if err != nil {
			return nil, nil, err
		}
		if _, plain := sel.Anywhere(); field != nil {
			found[sel.String()] = field
		} else if plain && sel.String() != rawField {
			missing[sel.String()] = fieldname.Parse(sel.String())
		}
	}
	for _, a := range within {
		if err := s.spoken(ctx, a, missing, found, named); err != nil {
			return nil, nil, err
		}
	}
	return found, named, nil
}

// spoken moves to found the missing fields to which the text of an artifact gives one value, and notes in named those that it names first.
func (s *Service) spoken(ctx context.Context, a ctxmcp.Artifact, missing map[string]fieldname.Name, found map[string]*Field, named map[string]string) error {
	if len(missing) == 0 {
		return nil
	}
	text, err := s.text(ctx, a)
	if err != nil {
		return err
	}
	for field, name := range missing {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch at := name.In(text); at.Mention {
		case fieldname.Valued:
			found[field] = &Field{Value: at.Value, Artifact: a.ID, Path: cmp.Or(at.Path, "line "+strconv.Itoa(at.Line))}
			delete(missing, field)
		case fieldname.Named:
			named[field] = cmp.Or(named[field], a.ID)
		}
	}
	return nil
}

// text returns the text of an artifact; "" for bytes, and for more than maxRaw.
func (s *Service) text(ctx context.Context, a ctxmcp.Artifact) (string, error) {
	if a.Binary || a.Size > maxRaw {
		return "", nil
	}
	b, err := s.Artifacts.Open(ctx, a)
	if err != nil {
		return "", err
	}
	defer b.Close()
	text := make([]byte, b.Size())
	if _, err := b.ReadAt(text, 0); err != nil && err != io.EOF || !utf8.Valid(text) {
		return "", err
	}
	return string(text), nil
}

// read looks into one artifact. An artifact that is not JSON has one field, its text.
func (s *Service) read(ctx context.Context, a ctxmcp.Artifact, sel fields.Selector) (*fields.Value, error) {
	b, err := s.Artifacts.Open(ctx, a)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	v, err := sel.Select(ctx, artifacts.Document(ctx, a, b))
	if ctxmcp.CodeOf(err) == ctxmcp.CodeInvalid { // an artifact of text among those with fields is no fault
		return rawText(b, sel)
	}
	return v, err
}

func rawText(b artifacts.Blob, sel fields.Selector) (*fields.Value, error) {
	if sel.String() != rawField || b.Size() > maxRaw {
		return nil, nil
	}
	text := make([]byte, b.Size())
	if _, err := b.ReadAt(text, 0); err != nil || !utf8.Valid(text) {
		return nil, err
	}
	raw, err := json.Marshal(string(text))
	return &fields.Value{JSON: raw, Path: "$"}, err
}

// cacheKey names a selection of bytes, which never change under their digest.
type cacheKey struct{ digest, mediaType, selector string }

// The bounds of a cache.
const (
	maxCached      = 1024     // selections
	maxCachedValue = 64 << 10 // bytes of one; a larger one is read again
)

// cache keeps selections, also that there is none. The zero value is empty and ready.
type cache struct {
	mu     sync.Mutex // guards all below
	values map[cacheKey]*fields.Value
	order  []cacheKey // the oldest first
}

func (c *cache) get(k cacheKey) (*fields.Value, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[k]
	return v, ok
}

func (c *cache) put(k cacheKey, v *fields.Value) {
	if v != nil && len(v.JSON) > maxCachedValue {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil {
		c.values = map[cacheKey]*fields.Value{}
	}
	if _, ok := c.values[k]; ok {
		return
	}
	if len(c.order) == maxCached {
		delete(c.values, c.order[0])
		c.order = c.order[1:]
	}
	c.values[k], c.order = v, append(c.order, k)
}
