package main

import (
	"context"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/hook"
	"github.com/ctx-mcp/ctx-mcp/hook/quick"
	"github.com/ctx-mcp/ctx-mcp/hook/wire"
)

func hookCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook CLIENT",
		Short: "Answer one event of a client's hook, from standard input",
		Long: "Answer one event of a client's hook, from standard input: " + strings.Join(hook.Clients(), ", ") + `.

Calls of tools are judged before they are made and recorded after, results are redacted, and a session begins with what memory holds.
ctx-mcp connect CLIENT --hooks installs it. The first event starts a server for the data directory, which ends when idle.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("%s takes one client: %s", cmd.CommandPath(), strings.Join(hook.Clients(), ", "))
			}
			return nil
		},
		ValidArgsFunction: completingHooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(hook.Events(args[0])) == 0 {
				return usage("client %q has no hooks here: use one of %s", args[0], strings.Join(hook.Clients(), ", "))
			}
			input, err := hookInput(sys)
			if err != nil {
				return err
			}
			return printAnswer(sys, askHooks(cmd.Context(), c, cmd.Flags(), args[0], input))
		},
	}
	cmd.AddCommand(prints(nothing, &cobra.Command{
		Use:   "stop",
		Short: "End the server of the hooks; the next event starts a new one",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return stopHooks(cmd.Context(), c) },
	}), prints(aService, &cobra.Command{
		Use:    "serve",
		Short:  "Answer the hooks of a data directory until they stop",
		Hidden: true,
		Args:   noArgs,
		RunE:   func(cmd *cobra.Command, _ []string) error { return serveHooks(cmd.Context(), sys, c) },
	}))
	return annotated(prints(aService, cmd), takesInput, "the event")
}

// endsWith is an end of the process that has said all there is to say.
type endsWith int

func (e endsWith) Error() string { return "exit " + strconv.Itoa(int(e)) }

func printAnswer(sys *system, fields [][]byte) error {
	if code := quick.Print(fields, sys.out, sys.err); code != 0 {
		return endsWith(code)
	}
	return nil
}

// askHooks returns the answer of the server of the data directory, which is started if it does not run. If there is none to be had, the
// configuration decides.
func askHooks(ctx context.Context, c *config.Config, flags *pflag.FlagSet, client string, input []byte) [][]byte {
	fields := [][]byte{[]byte(wire.Version), []byte(client), input}
	answer, err := relay(ctx, c.DataDir, fields)
	if err != nil {
		if err = startHooks(c, flags); err == nil {
			answer, err = relayUntil(ctx, c, fields)
		}
	}
	if err == nil {
		return answer
	}
	return fieldsOf(c.HookFail.Answer(client, input, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server of the hooks of %s does not answer", c.DataDir).WithCause(err)))
}

func fieldsOf(out hook.Answer) [][]byte {
	return [][]byte{[]byte(strconv.Itoa(out.Exit)), []byte(out.Stdout), []byte(out.Stderr)}
}

// hookInput returns the input of an event.
func hookInput(sys *system) ([]byte, error) {
	if quick.Taken {
		return quick.Input, nil
	}
	return io.ReadAll(io.LimitReader(sys.in, wire.MaxField))
}

// unsettledHook returns the answer to an event whose command line or settings cannot be used, nil for any other command line. Without it the
// exit code of a mistake would stop everything that the client does, the user's prompts too.
func unsettledHook(sys *system, c *config.Config, args []string, err error) [][]byte {
	if len(args) < 2 || args[0] != "hook" || args[1] == "serve" || args[1] == "stop" || sys.attended() {
		return nil
	}
	p := c.HookFail
	if !slices.Contains(hook.Policies(), p) {
		p = hook.Dangerous
	}
	var input []byte
	if len(hook.Events(args[1])) > 0 {
		input, _ = hookInput(sys) // an input that cannot be read is answered as an empty one
	}
	return fieldsOf(p.Answer(args[1], input, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%v", err)))
}

// relayUntil asks until the server that was just started answers, for as long as an answer may take.
func relayUntil(ctx context.Context, c *config.Config, fields [][]byte) (answer [][]byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.HookLimit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if answer, err = relay(ctx, c.DataDir, fields); err == nil {
			return answer, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, err
		}
	}
}

// relay asks the server once.
func relay(ctx context.Context, dir string, fields [][]byte) ([][]byte, error) {
	path, done := wire.Path(dir)
	defer done()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	if err := wire.Write(conn, fields...); err != nil {
		return nil, err
	}
	return wire.Read(conn, wire.AnswerFields)
}

// givenFlags returns the flags of the command line, for a process that is to have the same settings.
func givenFlags(c *config.Config, flags *pflag.FlagSet) []string {
	args := []string{"--data-dir=" + c.DataDir}
	flags.Visit(func(f *pflag.Flag) {
		if f.Name != "data-dir" {
			args = append(args, "--"+f.Name+"="+f.Value.String())
		}
	})
	return args
}

// openLog returns the file that the server of the hooks logs to.
func openLog(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(dir+"/hook.log", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
}
