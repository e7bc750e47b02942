package language

// The lists by which tool results and long conversations are cut.
var (
	// Messages are words by which programs report. Each row is one kind of message: failure, failure_field, warning.
	Messages = table("en/messages.txt")
	// Statements are words and phrases of the sentences that are worth keeping of a piece of work. Each row is a kind of statement; a
	// phrase may stand in several.
	Statements = table("en/statements.txt")
	// Oddities are words by which a question asks for exceptions: the greatest, the wrong, the unusual.
	Oddities = list("en/oddities.txt")
	// Commands are names of tools and commands. Each row is an effect of a call: edit, history, run, search, view.
	Commands = table("names/commands.txt")
)
