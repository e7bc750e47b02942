package compiler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// SnapshotForm names the form of a Snapshot. A change that is not an addition gives it another number.
const SnapshotForm = "ctx-mcp/snapshot/1"

// Snapshot is a compile outside of its store: the prompt to the letter, and its sources. It is redacted, as
// all that is kept.
type Snapshot struct {
	Form    string `json:"form"` // SnapshotForm
	TraceID string `json:"trace_id"`
	Ref     string `json:"context_ref"`
	Output  Output `json:"output"`
	Inputs  Inputs `json:"inputs"`
}

// WriteSnapshot writes a compile as JSON that a person can read.
func WriteSnapshot(w io.Writer, k Kept) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(Snapshot{SnapshotForm, k.TraceID, k.Ref, k.Output, k.Inputs})
}

// ReadSnapshot reads a snapshot that WriteSnapshot wrote. It returns CodeInvalid for anything else. Replay checks that the
// inputs compile to the output.
func ReadSnapshot(r io.Reader) (Kept, error) {
	var s Snapshot
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	err := d.Decode(&s)
	if err == nil && d.Decode(new(any)) != io.EOF {
		err = errors.New("something follows the snapshot")
	}
	if err != nil {
		return Kept{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "this is no snapshot").WithCause(err)
	}
	if s.Form != SnapshotForm {
		return Kept{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the form of the snapshot is not %s", SnapshotForm)
	}
	// White space is the reader's: both are read in the form in which they are kept.
	k := Kept{Ref: s.Ref, TraceID: s.TraceID}
	err = errors.Join(throughCanonical(s.Inputs, &k.Inputs), throughCanonical(s.Output, &k.Output))
	return k, err
}

// throughCanonical reads into as the canonical form of from.
func throughCanonical(from, into any) error {
	raw, err := packets.Canonical(context.Background(), from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// Replay compiles the inputs of a compile again, and returns the members of the output that differ; none: it is the same to the
// byte. begin is told of the stages, as Compiler.Begin; it may be nil. It returns the errors of Compile.
func (r Recompiler) Replay(k Kept, begin func(stage string) func(Step)) (differ []string, err error) {
	counter, err := r.counter(k.Inputs)
	if err != nil {
		return nil, err
	}
	again, err := Compiler{Counter: counter, Begin: begin}.Compile(k.Inputs)
	if err != nil {
		return nil, err
	}
	was, err := members(k.Output)
	if err != nil {
		return nil, err
	}
	is, err := members(again)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(union(was, is))) {
		if !bytes.Equal(was[name], is[name]) {
			differ = append(differ, name)
		}
	}
	return differ, nil
}

// members returns the canonical form of each member of an output.
func members(out Output) (map[string]json.RawMessage, error) {
	raw, err := packets.Canonical(context.Background(), out)
	if err != nil {
		return nil, fmt.Errorf("output: %w", err)
	}
	all := map[string]json.RawMessage{}
	return all, json.Unmarshal(raw, &all)
}
