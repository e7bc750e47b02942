package reduce

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// stateName says whose state it is. A state of another name, or of a later version, is refused.
const (
	stateName    = "ctx-mcp.reduce"
	stateVersion = 2
	mostArchives = 1000
	mostFigure   = 1 << 30 // messages or tokens: above it a figure is none, and sums of a few stay numbers
)

// State is kept by the caller between two calls, and given back. With it the next call makes of the original messages, or of the
// reduced ones, exactly what this one returned, and goes on from there. All text in it is redacted.
type State struct {
	Name    string `json:"__name__"`
	Version int    `json:"version"`
	// Removed counts the messages behind the first zone that the digest stands for: where a restored session goes on.
	Removed  int               `json:"removed_message_count"`
	Head     int               `json:"head"`              // messages in front of the digest
	Cleared  [][2]int          `json:"cleared,omitempty"` // messages, from and until, whose thinking was dropped, counted as they were returned
	Digest   string            `json:"digest,omitempty"`
	Archives []string          `json:"archives,omitempty"`
	Prefix   string            `json:"prefix,omitempty"` // digest of the removed messages
	Edits    map[string]string `json:"edits,omitempty"`  // results that were cut, by call
	// Sent and Correction are what is known of the size of earlier prompts.
	Sent       Sent              `json:"sent"`
	Correction tokens.Correction `json:"correction"`
	// MAC is over all the rest, under the key of the installation.
	MAC string `json:"mac"`
}

// chain returns the digest of messages with one more. The texts of results are left out of it, because results may have been cut.
func chain(before string, m *conversation.Message) string {
	h := sha256.New()
	h.Write([]byte(before + "\x00" + string(m.Role)))
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind == conversation.Thinking || p.Kind == conversation.Text && p.Text == conversation.OnlyThought {
			continue
		}
		h.Write([]byte{0, byte(p.Kind)})
		h.Write([]byte(p.ID + "\x00" + p.Name + "\x00" + p.Args))
		if p.Kind == conversation.Text {
			h.Write([]byte(p.Text))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// restore brings the messages to where the last call left them, whether the caller kept the original ones or the reduced ones.
// It returns CodeInvalid for a state that is none of this product's, CodeConflict for one that was changed, or is of another
// conversation.
func (j *job) restore() error {
	if j.req.State == nil {
		j.recognise()
		return j.readPast()
	}
	j.state = *j.req.State
	if err := j.checkSeal(); err != nil {
		return err
	}
	if !j.state.sound() || j.state.Head > len(j.all) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "state is not one that reduce_messages returned").
			WithHint("pass the state of the last call as it was, or leave it out")
	}
	j.applyEdits()
	if j.state.Removed > 0 && !j.splice() {
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "the state belongs to another conversation").
			WithHint("pass it with the messages that it was returned for, original or reduced; or leave it out")
	}
	for _, c := range j.state.Cleared {
		conversation.DropThinking(j.all, c[0], c[1])
	}
	return j.readPast()
}

// sound reports whether the figures of a state can be meant.
func (s *State) sound() bool {
	for _, n := range []int{s.Removed, s.Head, s.Sent.Messages, s.Sent.Tokens, s.Sent.Reported, s.Sent.ReportedFor, s.Correction.Reported, s.Correction.Estimated} {
		if n < 0 || n > mostFigure {
			return false
		}
	}
	return s.Name == stateName && s.Version == stateVersion && len(s.Archives) <= mostArchives
}

// splice puts the digest in the place of the messages that it stands for, if it is not there.
func (j *job) splice() bool {
	head := j.state.Head
	if head < len(j.all) && saysOnly(&j.all[head], j.state.Digest) {
		j.digest = true
		return true
	}
	end := head + j.state.Removed
	if end > len(j.all) {
		return false
	}
	sum := ""
	for i := head; i < end; i++ {
		sum = chain(sum, &j.all[i])
	}
	if sum != j.state.Prefix {
		return false
	}
	j.all = slices.Concat(j.all[:head], []conversation.Message{conversation.Said(conversation.User, j.state.Digest)}, j.all[end:])
	j.digest = true
	return true
}

// saysOnly reports whether a message is a user's that says nothing but the text.
func saysOnly(m *conversation.Message, text string) bool {
	return m.Role == conversation.User && len(m.Parts) == 1 && m.Parts[0].Kind == conversation.Text && m.Parts[0].Text == text
}

// recognise finds the digest of an earlier call in messages that come without a state.
func (j *job) recognise() {
	j.state = State{Name: stateName, Version: stateVersion}
	for i := range j.all {
		m := &j.all[i]
		if m.Role != conversation.User || len(m.Parts) != 1 {
			continue
		}
		if removed, archives, is := j.readDigest(m.Parts[0].Text); is && j.haveAll(archives) {
			j.state.Removed, j.state.Head, j.state.Digest, j.state.Archives, j.digest = removed, i, m.Parts[0].Text, archives, true
			return
		}
	}
}

// haveAll reports whether the caller can see all of the artifacts: then the digest is one of this conversation's, not something that
// looks like one.
func (j *job) haveAll(archives []string) bool {
	for _, id := range archives {
		if _, known := j.textOf(id); !known {
			return false
		}
	}
	return true
}

// readPast reads what earlier epochs moved out. Of what is no longer kept there are the lines of the digest: the next epoch takes
// them for what was said, and keeps them anew.
func (j *job) readPast() error {
	for _, id := range j.state.Archives {
		text, known := j.textOf(id)
		if !known {
			j.warn("artifact %s is no longer kept: only the lines that the digest has of it are left", id)
			continue
		}
		n := len(j.alive)
		j.alive = append(j.alive, id)
		segs, begin := readArchive(text)
		j.past = append(j.past, segs...)
		for _, line := range begin {
			j.places = append(j.places, place{n, line})
		}
	}
	if len(j.alive) < len(j.state.Archives) {
		j.gone = append(j.gone, segment{at: j.state.Head + 1, source: fromResult, label: "history", text: j.clean(bodyOf(j.state.Digest))})
	}
	return nil
}

// applyEdits cuts the results that were cut before, where the caller passes them whole.
func (j *job) applyEdits() {
	if len(j.state.Edits) == 0 {
		return
	}
	for i := range j.all {
		for k := range j.all[i].Parts {
			p := &j.all[i].Parts[k]
			text, cut := j.state.Edits[p.ID]
			if p.Kind != conversation.Result || !cut || p.Text == text || p.Given && !j.refersTo(text, p.Text, p.Name) {
				continue
			}
			j.all[i] = j.all[i].Clone()
			p = &j.all[i].Parts[k]
			p.Text, p.Edited = text, true
			j.all[i].Edit()
		}
	}
}

// ParseState reads a state as a caller gives it back. It returns CodeInvalid for what is none.
func ParseState(raw json.RawMessage) (*State, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var s State
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "state cannot be read").WithCause(err).
			WithHint("pass the state of the last call as it was, or leave it out")
	}
	return &s, nil
}
