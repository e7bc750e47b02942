package effect

import (
	"cmp"
	"context"
	"slices"
)

// Role says how a value decides what a call does. The words stand in findings: append only.
type Role string

// The roles.
const (
	Host      Role = "host"      // an address on a network that the call goes to
	Recipient Role = "recipient" // a person, a channel or an account that gets something
	Path      Role = "path"      // a file or folder
	Content   Role = "content"   // an address in a text that is sent
	Subject   Role = "subject"   // the object of the call: a record, a principal, a package, an operand of a command
)

// Value is an argument, or a part of one, that decides what a call does.
type Value struct {
	Role     Role
	Text     string // as it is written
	Argument string // JSON pointer into the parameters
}

// Effect is one thing that a call would do.
type Effect struct {
	Class    Class
	Shown    string   // the command, the address or the name that says so, for a person
	Argument string   // JSON pointer to it; empty for the name of the tool
	Deciding []Value  // in the order of the call, each once
	Sends    []string // texts that leave with the effect
	Makes    []Made   // what is new by it
	Saves    []string // files that are fetched from the network
	Secret   bool     // it reads where secrets are kept, or gives one out
	Mixed    bool     // the secrets that it gives out stand among much else
	Fills    bool     // a command that gives out a secret fills in a part of what leaves
	Web      bool     // it searches what is public on the network
	Over     bool     // it writes over the file that is at its path, if there is one, outside of the workspace
	Stages   Staging  // of files of secrets for a commit
	Leaks    bool     // what leaves comes from where secrets are kept
	Removes  bool     // it takes away a file that lies in the workspace as far as its path tells
	Public   bool     // it hands something to everybody, for good
	Copies   []string // files of the workspace with the content of a file of secrets
	Reaches  bool     // it leaves something to run later, and that reaches the network
	Loaded   bool     // programs that show a text of the call have it without anybody's doing
}

// Staging is the deed of a call with the files that the next commits send. The words are stored: append only.
type Staging string

// The kinds of staging.
const (
	NothingStaged Staging = ""
	SecretStaged  Staging = "secret" // a file of secrets was added
	Unstaged      Staging = "taken"  // what was added may be taken out again
)

// Hints are the annotations of MCP, nil where the tool has none.
type Hints struct{ ReadOnly, Destructive, OpenWorld *bool }

// Call is one use of a tool, its wrappers opened.
type Call struct {
	Tool       string
	Operation  string
	Parameters map[string]any
	Hints      Hints
	Folder     string   // that the agent works in, absolute; empty: not known
	Staged     bool     // a file of secrets stands in what git sends next
	Copies     []string // files with the content of a file of secrets
	// Fetched reports whether a file came from the network in the session. Nil: none did.
	Fetched func(path string) bool
}

// maxEffects bounds the effects of a call. The most dangerous are kept.
const maxEffects = 16

// Of returns the effects of a call, the most dangerous first, each class with its deciding values once. It returns the error of ctx once
// that has ended.
func Of(ctx context.Context, c Call) ([]Effect, error) {
	all, err := flatten(ctx, c.Parameters)
	if err != nil {
		return nil, err
	}
	r := reading{ctx: ctx, call: c, arguments: all}
	r.read()
	if r.err != nil {
		return nil, r.err
	}
	if len(r.effects) == 0 {
		r.add(Effect{Class: Unknown, Shown: c.Tool})
	}
	slices.SortStableFunc(r.effects, func(a, b Effect) int { return cmp.Compare(b.Class.rank(), a.Class.rank()) })
	return r.effects[:min(len(r.effects), maxEffects)], nil
}

// reading is a call that is being classified.
type reading struct {
	ctx       context.Context
	err       error // of ctx
	call      Call
	arguments []argument
	effects   []Effect
	fetched   []string // files that the command line itself fetches
	label     string   // of what is clicked, where that says the effect
	lines     []Command
	behind    []string // words of the client that has the commands run elsewhere
}

// ended looks at the context.
func (r *reading) ended() bool {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	return r.err != nil
}

// add adds an effect, unless the call has the same already.
func (r *reading) add(e Effect) {
	e.opensAddress()
	same := func(o Effect) bool {
		return o.Class == e.Class && o.Shown == e.Shown && slices.Equal(o.Deciding, e.Deciding)
	}
	if !slices.ContainsFunc(r.effects, same) {
		r.effects = append(r.effects, e)
	}
}

// read classifies the call by its commands, else by its SQL statements, else by its name, and adds the addresses that its texts make programs fetch.
func (r *reading) read() {
	switch {
	case r.commands():
	case r.statements():
	default:
		r.named()
	}
	r.embedded()
}
