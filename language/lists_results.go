package language

// The lists by which tool results and long conversations are cut.
var (
	// Messages are words by which programs report. Each row is one kind of message: failure, failure_field, warning.
	Messages = table("en/messages.txt")
	// Commands are names of tools and commands. Each row is what a call does: edit, history, run, search, view.
	Commands = table("names/commands.txt")
)
