package reduce

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// finish keeps what was left out, and only then lets the conversation go. If it cannot be kept, the messages come back as they were.
func (j *job) finish() (Reduced, error) {
	out, err := conversation.Encode(j.req.Format, j.all)
	if err != nil {
		return Reduced{}, err
	}
	size := j.tokens()
	if err := j.ctx.Err(); err != nil { // the counts since are worth nothing
		return Reduced{}, err
	}
	if grew := size.Value > j.out.Before && len(j.gone) > 0; grew && len(j.state.Archives) == 0 {
		return j.asItCame("nothing was reduced: a digest would be longer than what it stands for, and the rest must stay")
	}
	if err := j.keepDrafts(out); err != nil {
		return j.unreduced(err)
	}
	j.hold()
	j.out.Messages, j.out.After, j.out.Removed = out, size.Value, j.state.Removed
	j.out.State = j.sealed(j.nextState())
	if j.changed > 0 {
		j.warn("%d places of what is shown of tool results and of earlier messages were changed: they imitated a delimiter or a speaker, or nobody sees them", j.changed)
	}
	j.report()
	j.note()
	return j.out, nil
}

// keepDrafts stores the texts that the messages name.
func (j *job) keepDrafts(out []json.RawMessage) error {
	ids := make([]string, 0, len(j.drafts))
	for id := range j.drafts {
		if j.named(id, out) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if j.req.DryRun {
			continue
		}
		a, err := j.Keeper.KeepOnce(j.ctx, j.by, j.at, j.drafts[id], artifacts.Original{Found: j.found})
		if err != nil {
			return err
		}
		j.out.Artifacts = append(j.out.Artifacts, a)
	}
	return nil
}

// A conversation holds what it names for a while, and anew whenever it comes back.
const (
	holder  = "conversation"
	holdFor = 30 * 24 * time.Hour
)

// hold keeps the artifacts that the messages name from being retired. Its failure is no reason to give the conversation up.
func (j *job) hold() {
	ids := j.references()
	if len(ids) == 0 || j.req.DryRun {
		return
	}
	if err := j.Keeper.Hold(j.ctx, j.by, holder, ids, j.Now().Add(holdFor)); err != nil {
		j.log(holdFailed, "error", err)
		j.warn("the artifacts that stand for earlier messages could not be held: retention may retire them")
	}
}

// references returns the ids of the artifacts that the digest and the results name.
func (j *job) references() []string {
	ids := slices.Clone(j.alive)
	if j.archive != "" {
		ids = append(ids, j.archive)
	}
	for i := range j.all {
		for k := range j.all[i].Parts {
			p := &j.all[i].Parts[k]
			if m := referenceForm.FindStringSubmatch(p.Text); p.Kind == conversation.Result && m != nil {
				ids = append(ids, m[1])
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Epoch is the detail of a reduction in the audit trail.
type Epoch struct {
	MessagesBefore int      `json:"messages_before"`
	MessagesAfter  int      `json:"messages_after"`
	Removed        int      `json:"removed_message_count"` // that the digest stands for, of all epochs
	TokensBefore   int      `json:"tokens_before"`
	TokensAfter    int      `json:"tokens_after"`
	Limit          int      `json:"limit"`
	Layers         []string `json:"layers"`          // that acted, in order
	Moved          []string `json:"moved,omitempty"` // artifacts that this epoch kept what it moved out in
}

// ReduceAction is the action of the audit trail under which reductions are found. Its objects are the archives that the digest stands for, the
// one of the first epoch in front: it names the conversation.
const ReduceAction = "reduce_messages"

// note writes the reduction to the audit trail, if a layer acted.
func (j *job) note() {
	e := Epoch{MessagesBefore: len(j.req.Messages), MessagesAfter: len(j.out.Messages), Removed: j.out.Removed,
		TokensBefore: j.out.Before, TokensAfter: j.out.After, Limit: j.out.Limit}
	for _, s := range j.out.Steps {
		if s.Applied {
			e.Layers = append(e.Layers, s.Name)
		}
	}
	if j.Note == nil || j.req.DryRun || len(e.Layers) == 0 {
		return
	}
	for _, a := range j.out.Artifacts {
		e.Moved = append(e.Moved, a.ID)
	}
	detail, err := json.Marshal(e)
	if err == nil {
		err = j.Note(j.ctx, ctxmcp.Event{At: ctxmcp.Instant(j.Now()), Tenant: j.by.Tenant, User: j.by.User, Action: ReduceAction,
			ObjectID: strings.Join(j.out.State.Archives, " "), Detail: string(detail)})
	}
	if err != nil {
		j.log(noteFailed, "error", err)
	}
}

func (j *job) named(id string, out []json.RawMessage) bool {
	return slices.ContainsFunc(out, func(raw json.RawMessage) bool { return bytes.Contains(raw, []byte(id)) })
}

// unreduced returns the conversation as it came, because what would be left out could not be kept.
func (j *job) unreduced(err error) (Reduced, error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Reduced{}, err
	}
	j.log(keepFailed, "error", err)
	return j.asItCame("nothing was reduced: what would be left out could not be kept as an artifact; call again")
}

// asItCame returns the conversation as it came, with a warning that says why.
func (j *job) asItCame(why string) (Reduced, error) {
	j.out.Artifacts = nil
	for i := range j.out.Steps {
		s := &j.out.Steps[i]
		s.Applied, s.After, s.Before = false, j.out.Before, j.out.Before
	}
	j.warn("%s", why)
	j.out.Messages, j.out.After = j.req.Messages, j.out.Before
	j.out.State = j.sealed(State{Name: stateName, Version: stateVersion})
	if j.req.State != nil {
		j.out.State = *j.req.State
	}
	j.out.Removed = j.out.State.Removed
	return j.out, nil
}

// nextState returns what the caller gives back with the next call.
func (j *job) nextState() State {
	s := j.state
	if j.archive != "" {
		s.Archives = append(slices.Clone(j.alive), j.archive)
	}
	s.Sent = j.nextSent()
	s.Edits = map[string]string{}
	for i := range j.all {
		for k := range j.all[i].Parts {
			p := &j.all[i].Parts[k]
			if _, before := j.state.Edits[p.ID]; p.Kind == conversation.Result && (p.Edited && j.cutHard[p.ID] || before) {
				s.Edits[p.ID] = p.Text
			}
		}
	}
	if len(s.Edits) == 0 {
		s.Edits = nil
	}
	return s
}

// report says in the log, to the metrics and to the caller what happened.
func (j *job) report() {
	reduced := false
	for _, s := range j.out.Steps {
		if !s.Applied {
			continue
		}
		reduced = true
		if j.Observe != nil && !j.req.DryRun {
			j.Observe(s.Name, s.Before-s.After)
		}
		j.log(contextReduced, "via", s.Name, "messages_before", len(j.req.Messages), "messages_after", len(j.out.Messages),
			"tokens_before", s.Before, "tokens_after", s.After)
	}
	bound := j.deciding()
	switch ceiling := cmp.Or(j.budget.ceiling, j.budget.limit); {
	case bound > ceiling && j.epoch:
		j.log(stillOver, "context", bound, "ceiling", ceiling)
		j.warn("the conversation may still take %d tokens, over %d: what must stay is too large", bound, ceiling)
	case bound > j.budget.warn && !reduced:
		j.log(nearLimit, "context", bound, "threshold", j.budget.warn)
		j.warn("the conversation may take %d tokens, over the warning threshold of %d", bound, j.budget.warn)
	}
}
