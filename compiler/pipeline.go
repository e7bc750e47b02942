package compiler

import (
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// stage is one step of a compile. Each is a function in the file of its name.
type stage struct {
	name string
	run  func(*state) error
	doc  string
}

// stages is the compiler, in order. Gather stands before it, and does all the I/O: from here on everything is pure.
var stages = [...]stage{
	{"normalize", normalize, "wrap every input in a context object with its whole tenure"},
	{"resolve", resolve, "canonical entities, and the neighbourhood of what the question names"},
	{"gate", gate, "scope, permission, clearance and origin"},
	{"reconcile", reconcile, "valid and transaction time, decay, supersession, contradictions"},
	{"rank", rank, "relevance to the task, in five tiers; what has none is left out"},
	{"rescue", rescue, "passages of documents that are not selected, where they bear on what is"},
	{"convert", convert, "say everything once, on the rung of the ladder that it has earned"},
	{"contain", contain, "put what was retrieved behind delimiters that it cannot close"},
	{"order", order, "stable before volatile, within the budget, the most important first"},
	{"emit", emit, "the form of the provider, with breakpoints, and the trace"},
}

// pair says that one stage must stand before another, and why.
type pair struct{ before, after, why string }

// precedence lists the pairs of stages whose order the table above must keep.
var precedence = [...]pair{
	{"normalize", "resolve", "names are those of objects, and an object has a place before it has neighbours"},
	{"normalize", "gate", "what has no classification cannot be judged"},
	{"resolve", "reconcile", "two names of one subject are one slot"},
	{"gate", "reconcile", "what the caller may not see must not displace what they may"},
	{"gate", "rank", "a score must not tell that a hidden object exists"},
	{"reconcile", "rank", "a claim that does not hold must not set the measure for those that do"},
	{"reconcile", "convert", "a constraint must not be made of a claim that is contradicted"},
	{"rank", "rescue", "a passage is attached to what is selected"},
	{"rank", "convert", "only what bears on the task becomes guidance"},
	{"rescue", "convert", "a passage may say what is selected already"},
	{"convert", "contain", "the delimiters go around what is shown"},
	{"contain", "order", "the budget counts the delimiters too"},
	{"order", "emit", "breakpoints stand where the zones end"},
}

// Counter counts the tokens of a text.
type Counter interface {
	Name() string
	Count(text string) int
}

// Compiler compiles. Its fields are set once, before use.
type Compiler struct {
	Counter Counter // that Inputs.Counter names
	// Begin is called when a stage begins, and the function it returns when the stage ends or fails. Both only observe. Nil: nobody observes.
	Begin func(stage string) (end func(Step))
	// Ended returns an error once nobody waits for the output; it is asked before each stage, and may be nil.
	Ended func() error
}

// Compile makes the output of the inputs. It returns CodeTooLarge if what is critical is over the budget, CodeInvalid for
// inputs of another schema, counter or form.
func (c Compiler) Compile(in Inputs) (Output, error) {
	if !readable(in.Schema) {
		return Output{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "inputs of the schema %q cannot be compiled", in.Schema)
	}
	if c.Counter.Name() != in.Counter {
		return Output{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the inputs were counted by %q, and not by %q", in.Counter, c.Counter.Name())
	}
	s := newState(in, c.Counter)
	for _, st := range stages {
		if c.Ended != nil && c.Ended() != nil {
			return Output{}, fmt.Errorf("%s: %w", st.name, c.Ended())
		}
		if err := s.step(c, st); err != nil {
			return Output{}, fmt.Errorf("%s: %w", st.name, err)
		}
	}
	return s.out, nil
}

// step runs one stage, and records what it did.
func (s *state) step(c Compiler, st stage) error {
	end := func(Step) {}
	if c.Begin != nil {
		end = c.Begin(st.name)
	}
	s.stage, s.record = st.name, Step{Stage: st.name, In: len(s.live())}
	defer func() { end(s.record) }() // also where a stage fails, or panics
	if err := st.run(s); err != nil {
		return err
	}
	s.record.Out = len(s.live())
	s.out.Trace.Steps = append(s.out.Trace.Steps, s.record)
	return nil
}

// Stages lists the names and what each does, in order.
func Stages() (all []struct{ Name, Doc string }) {
	for _, st := range stages {
		all = append(all, struct{ Name, Doc string }{st.name, st.doc})
	}
	return slices.Clip(all)
}
