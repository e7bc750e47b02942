package main

import "github.com/spf13/cobra"

// stopped is the annotation of a command that may take long: the state that it leaves behind when it is interrupted, and the way on.
const stopped = "stopped"

// The states after an interrupt.
const (
	nothingChanged = "nothing was changed; run the command again to begin anew"
	nothingWritten = "no file was written; run the command again to begin anew"
	partsDone      = "what was done stays done; run the command again, it goes on with the rest"
)

// mayTakeLong marks a command that may take long.
func mayTakeLong(cmd *cobra.Command, after string) *cobra.Command {
	return annotated(cmd, stopped, after)
}

func annotated(cmd *cobra.Command, name, value string) *cobra.Command {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[name] = value
	return cmd
}

// printed is the annotation of a command that prints no report, and so takes no --json: the form of its output.
const printed = "printed"

// The forms of output that are no report.
const (
	aDocument = "a document that has a form of its own"
	aService  = "the messages of a service, to programs"
	aTalk     = "a talk with the person at the terminal"
	nothing   = "nothing"
)

// prints marks a command that prints no report.
func prints(form string, cmd *cobra.Command) *cobra.Command {
	return annotated(cmd, printed, form)
}

// takesInput marks a command whose standard input is its messages, so that it stands for no file.
const takesInput = "input"

// endless marks a command that ends only when it is interrupted.
const endless = "endless"
