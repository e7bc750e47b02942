package effect

import "context"

// Command is one command of a command line, without its wrapper.
type Command struct {
	Argv   []string // its name without a folder first
	Behind []string // the words of the client that has it run elsewhere: of ssh, docker exec, kubectl exec
	Folder string   // to which the line went before; empty: it stayed
}

// writing is the name of the command that stands for a redirection to a file.
const writing = "write"

// maxCommands bounds the commands of a call.
const maxCommands = 256

// Commands returns the commands in the command lines of a call, in their order; a redirection to a file is a command "write". A call without a command line
// has none. It returns the error of ctx once that has ended.
func Commands(ctx context.Context, c Call) ([]Command, error) {
	all, err := flatten(ctx, c.Parameters)
	if err != nil {
		return nil, err
	}
	r := reading{ctx: ctx, call: c, arguments: all}
	r.commands()
	return r.lines, r.err
}

// runs notes a command of the line.
func (s *shell) runs(argv []string) {
	if len(s.lines) < maxCommands {
		s.lines = append(s.lines, Command{append([]string{baseName(argv[0])}, argv[1:]...), s.behind, s.folder})
	}
}
