package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Artifacts finds and opens what tasks refer to.
type Artifacts interface {
	Visible(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope) (artifacts.Query, error)
	Select(ctx context.Context, q artifacts.Query) ([]ctxmcp.Artifact, error)
	Find(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ids ...string) ([]ctxmcp.Artifact, error)
	Open(ctx context.Context, a ctxmcp.Artifact) (artifacts.Blob, error)
}

// Options tunes a Service. The zero value works.
type Options struct {
	TTL time.Duration // after its last save a task is over, and holds its artifacts no longer; default 30 days
}

// Service carries out the verbs of tasks. Its fields are set once, before use.
type Service struct {
	Store     Store
	Artifacts Artifacts
	Counter   tokens.Counter
	// Redact hides the secrets of a text of the tenant. It is asked before anything is stored.
	Redact  redact.Func
	Now     func() time.Time
	Options Options

	cache cache
}

// Draft is a state as a caller gives it. What is left out stays as it was: Metadata joins what is there by its names, and a null takes one out;
// ArtifactIDs are added to those that are there, after the ones to be removed are gone.
type Draft struct {
	ID, Parent, Producer   string
	Summary, SchemaVersion string
	Metadata               map[string]json.RawMessage
	ArtifactIDs            []string
	RemoveIDs              []string // of artifacts that the task no longer hands on; they are not deleted
	Expected               *int     // the version that the caller saw, 0 for none; nil: whichever
}

// View is a state with the artifacts that it refers to, and those of the tasks that it descends from, the nearest first.
type View struct {
	State
	References []ctxmcp.Artifact
	Inherited  []Inherited
}

// Inherited is an artifact of a task above.
type Inherited struct {
	Task     string
	Artifact ctxmcp.Artifact
}

const (
	maxText      = 10_000 // characters of a summary
	maxArtifacts = 1000
	maxLineage   = 64
	maxMetadata  = 64 << 10 // bytes
	maxTries     = 20       // of a save that expects no version, against others
)

// Save keeps the next version of a task's state. It returns CodeConflict, with the version that is current, unless that is
// the expected one; CodeNotFound for an artifact that the task cannot see.
func (s *Service) Save(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft) (View, error) {
	if err := d.check(); err != nil {
		return View{}, err
	}
	for tries := 0; ; tries++ {
		v, err := s.saveOnce(ctx, by, at, d)
		if d.Expected != nil || tries == maxTries || ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
			return v, err
		}
	}
}

// saveOnce plans on the version that is current, and fails with CodeConflict if another one came in between.
func (s *Service) saveOnce(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft) (View, error) {
	current, err := s.find(ctx, by, at, d.ID)
	if err != nil {
		return View{}, err
	}
	if d.Expected != nil && *d.Expected != current.Version {
		return View{}, Moved(d.ID, current.Version)
	}
	next, err := s.merge(ctx, by, at, current, d)
	if err != nil {
		return View{}, err
	}
	if err := s.checkParents(ctx, by, at, next); err != nil {
		return View{}, err
	}
	at.Task = next.ID
	refs, err := s.references(ctx, by, at, next)
	if err != nil {
		return View{}, err
	}
	until := time.Time{}
	if s.Options.TTL >= 0 {
		until = next.Saved.Add(s.ttl())
	}
	var pins []artifacts.Pin
	for _, a := range refs {
		pins = append(pins, artifacts.Pin{Tenant: by.Tenant, Artifact: a.ID, Holder: "task:" + next.Home.Namespace() + "/" + next.ID, Until: until})
	}
	err = s.Store.SaveTask(ctx, next, pins, ctxmcp.Event{
		At: next.Saved, Tenant: by.Tenant, User: by.User, Action: "save_task_state", ObjectID: next.ID, Detail: fmt.Sprintf("version %d", next.Version),
	})
	return View{State: next, References: refs}, err
}

func (s *Service) ttl() time.Duration {
	if s.Options.TTL == 0 {
		return 30 * 24 * time.Hour
	}
	return s.Options.TTL
}

func (d Draft) check() error {
	for name, id := range map[string]string{"task_id": d.ID, "parent_task_id": d.Parent} {
		if id != "" && !ctxmcp.ValidID(id) || id == "" && name == "task_id" {
			err := ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is not an id", name)
			if fit := ctxmcp.FittingID(id); fit != "" {
				return err.WithHint("use 1 to %d of the characters A-Z a-z 0-9 _ . -, such as %s", ctxmcp.MaxIDLength, fit)
			}
			return err.WithHint("use 1 to %d of the characters A-Z a-z 0-9 _ . -", ctxmcp.MaxIDLength)
		}
	}
	size := 0
	for name, v := range d.Metadata {
		size += len(name) + len(v)
	}
	switch {
	case utf8.RuneCountInString(d.Summary) > maxText || utf8.RuneCountInString(d.Producer+d.SchemaVersion) > maxText:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "a text has more than %d characters", maxText).WithHint("store it with put_artifact and name its id")
	case size > maxMetadata:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "metadata has more than %d bytes", maxMetadata).WithHint("store it with put_artifact and name its id")
	case d.Parent != "" && d.Parent == d.ID:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "a task is not its own parent")
	}
	return nil
}

// merge returns the version that follows the current one.
func (s *Service) merge(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, current State, d Draft) (State, error) {
	next := current.Clone()
	if current.Version == 0 {
		home := at
		home.Task = ""
		next = State{Tenant: by.Tenant, ID: d.ID, Home: home, Artifacts: []string{}}
	}
	next.Version++
	next.Saved = ctxmcp.Instant(s.Now())
	if d.Parent != "" {
		next.Parent = d.Parent
	}
	hide := s.Redact.Pass(ctx, by.Tenant)
	for field, text := range map[*string]string{
		&next.Producer: d.Producer, &next.Summary: d.Summary, &next.SchemaVersion: d.SchemaVersion,
	} {
		if text != "" {
			*field, _ = hide.Text(text)
		}
	}
	if d.Metadata != nil {
		raw, err := json.Marshal(d.Metadata)
		if err != nil {
			return next, err
		}
		clean, _ := hide.Text(string(raw))
		if err := hide.Err(); err != nil {
			return next, err
		}
		if err := json.Unmarshal([]byte(clean), &next.Metadata); err != nil { // into what is there: the rest stays
			return next, fmt.Errorf("redacted metadata: %w", err)
		}
		maps.DeleteFunc(next.Metadata, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	}
	if err := hide.Err(); err != nil {
		return next, err
	}
	next.handOn(d.ArtifactIDs, d.RemoveIDs)
	if len(next.Artifacts) > maxArtifacts || len(next.Removed) > maxArtifacts {
		return next, ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the task refers to more than %d artifacts", maxArtifacts)
	}
	return next, nil
}

// handOn adds artifacts after taking others out. What is taken out is noted: it may have been put for the task without being named.
func (s *State) handOn(add, remove []string) {
	s.Artifacts = slices.DeleteFunc(s.Artifacts, func(id string) bool { return slices.Contains(remove, id) })
	for _, id := range remove {
		if !slices.Contains(s.Removed, id) {
			s.Removed = append(s.Removed, id)
		}
	}
	s.Removed = slices.DeleteFunc(s.Removed, func(id string) bool { return slices.Contains(add, id) })
	for _, id := range add {
		if !slices.Contains(s.Artifacts, id) {
			s.Artifacts = append(s.Artifacts, id)
		}
	}
}

// checkParents refuses a chain of parents that comes back to the task.
func (s *Service) checkParents(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, next State) error {
	if next.Parent == "" {
		return nil
	}
	above, err := s.Lineage(ctx, by, at, next.Parent)
	if err == nil && slices.Contains(above, next.ID) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "task %s would descend from itself", next.ID).WithHint("name another parent_task_id")
	}
	return err
}

// Get returns the latest version of a task. It returns CodeNotFound for one that does not exist for the caller.
func (s *Service) Get(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) (View, error) {
	state, err := s.existing(ctx, by, at, id)
	if err != nil {
		return View{}, err
	}
	at.Task = id
	refs, err := s.references(ctx, by, at, state)
	if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound { // one has had its time: the others are still there
		refs, err = s.remaining(ctx, by, at, state)
	}
	if err != nil {
		return View{}, err
	}
	v := View{State: state, References: refs}
	v.Inherited, err = s.inherited(ctx, by, at, v)
	return v, err
}

// inherited returns the artifacts of the tasks above, each once.
func (s *Service) inherited(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, v View) (all []Inherited, err error) {
	if v.Parent == "" {
		return nil, nil
	}
	chain, err := s.Lineage(ctx, by, at, v.ID)
	if err != nil {
		return nil, err
	}
	held := map[string]bool{}
	for _, a := range v.References {
		held[a.ID] = true
	}
	for _, task := range chain[1:] {
		state, err := s.find(ctx, by, at, task)
		if err != nil || state.Version == 0 {
			return all, err
		}
		refs, err := s.remaining(ctx, by, at, state)
		if err != nil {
			return nil, err
		}
		for _, a := range refs {
			if !held[a.ID] {
				held[a.ID] = true
				all = append(all, Inherited{task, a})
			}
		}
	}
	return all, nil
}

func (s *Service) existing(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) (State, error) {
	state, err := s.find(ctx, by, at, id)
	if err == nil && state.Version == 0 {
		return state, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no task %q here", id).
			WithHint("save it with save_task_state, or check the scope")
	}
	return state, err
}

// find returns the innermost state of the task that is visible from at, or one of version 0.
func (s *Service) find(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) (State, error) {
	found, err := s.Store.FindTasks(ctx, by.Tenant, outwards(at), id)
	if err != nil || len(found) == 0 {
		return State{}, err
	}
	return found[len(found)-1], nil
}

// Lineage implements artifacts.Lineage. A task that is not saved yet has no parent.
func (s *Service) Lineage(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, task string) ([]string, error) {
	chain := []string{task}
	for len(chain) < maxLineage {
		state, err := s.find(ctx, by, at, task)
		if err != nil {
			return nil, err
		}
		if task = state.Parent; task == "" || slices.Contains(chain, task) {
			return chain, nil
		}
		chain = append(chain, task)
	}
	return chain, nil
}
