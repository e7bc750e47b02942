package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/serve"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

func stdioCommand(sys *system, c *config.Config) *cobra.Command {
	return annotated(prints(aService, &cobra.Command{
		Use:   "stdio",
		Short: "Serve one local agent over standard input and output",
		Long: `Serve one local agent over standard input and output.

Standard output carries MCP and nothing else; logs go to standard error. The server ends when its input does.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serveStdio(cmd.Context(), sys, c, false) },
	}), takesInput, "its messages")
}

// serveStdio serves one client, behind a gateway to other servers if that is wanted.
func serveStdio(ctx context.Context, sys *system, c *config.Config, behind bool) (err error) {
	ignorePipe()
	a, err := openApp(ctx, sys, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if err := a.serveUpkeep(ctx); err != nil {
		return err
	}
	defaults := ctxmcp.Scope{Project: c.Project, Session: c.Session}
	if dir, dirErr := os.Getwd(); defaults.Project == "" && dirErr == nil {
		defaults.Project = a.projectOf(dir)
	}
	services, options := a.services(defaults, "pipe"), a.toolOptions()
	options.Introduction = a.introduction(ctx, services, options)
	s := tools.NewServer(services, options, serve.Options(a.logger)...)
	front, closeFront, err := a.front(behind, s, options, defaults.Project)
	if err != nil {
		return err
	}
	defer closeFront()
	if sys.attended() {
		fmt.Fprintln(sys.err, "A client starts this command, and speaks to it over standard input and output: ctx-mcp connect sets one up. Ctrl-C ends it.")
	}
	a.logger.Info("serving stdio", "version", version, "data_dir", c.DataDir, "user", c.User, "project", defaults.Project)
	err = serve.Stdio(ctx, s, sys.in, sys.out, serve.StdioOptions{
		Caller: c.Caller(), Logger: a.logger, MaxLineBytes: c.MaxBodyBytes, Grace: c.ShutdownGrace, Messages: a.messages("pipe"),
		Front: front,
	})
	if errors.Is(err, syscall.EPIPE) { // the client has gone, and wants nothing any more
		return nil
	}
	return err
}

// ignorePipe turns SIGPIPE off: a write to a client that has gone returns an error, and the process closes its files in order.
func ignorePipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// introduction returns the instructions for the user's client, with a short brief of memory if that is wanted. Without it a
// client is served just as well.
func (a *app) introduction(ctx context.Context, s *tools.Services, o tools.Options) string {
	instructions := tools.Instructions(o)
	if !a.config.BriefInInstructions || !o.Offers("recall") {
		return instructions
	}
	text, err := s.Introduced(ctx, a.config.Caller(), instructions)
	if err != nil {
		a.logger.Warn("the instructions have no brief", "error", err)
	}
	return text
}

// noArgs refuses arguments as a mistake in the command line. Of a command with others below it an argument is taken for one of those.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return subcommandOnly(cmd, args)
	}
	return usage("%s takes no argument %q", cmd.CommandPath(), args[0])
}
