package language

// The lists by which tool results and long conversations are cut.
var (
	// Messages are words by which programs report. Each row is a kind of message: failure, failure_field, warning, reason, advice, guard and drastic; or the keys
	// beside a failure: detail and exit_key.
	Messages = table("en/messages.txt")
	// Statements are words and phrases of the sentences that are worth keeping of a piece of work. Each row is a kind of statement; a
	// phrase may stand in several.
	Statements = table("en/statements.txt")
	// Oddities are words by which a question asks for exceptions: the greatest, the wrong, the unusual.
	Oddities = list("en/oddities.txt")
	// Extremes are words by which a question asks for a value at the end of a series. Each row is an end: greatest, least.
	Extremes = table("en/extremes.txt")
	// LibraryPaths are folders, packages and namespaces of platforms and libraries, as the frames of a stack trace name them.
	LibraryPaths = list("names/library_paths.txt")
	// Commands are names of tools and commands. Each row is an effect of a call: edit, history, run, search, view.
	Commands = table("names/commands.txt")
)
