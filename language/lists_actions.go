package language

// The lists by which actions are compared with the texts that were said and read.
var (
	// NoSubject are words that carry no subject matter in a request or a result.
	NoSubject = list("en/no_subject.txt")
	// EffectVerbs are verbs by their effect on the world. Each row is a class; a verb may stand in several.
	EffectVerbs = table("en/effects.txt")
	// EffectNouns imply the effect of a class of EffectVerbs, and command nothing.
	EffectNouns = table("en/effect_nouns.txt")
	// ReadingVerbs only look.
	ReadingVerbs = list("en/reading_verbs.txt")
	// NounVerbs name a thing as often.
	NounVerbs = list("en/noun_verbs.txt")
	// ToolWords are words in the name of a tool that say nothing of its effect.
	ToolWords = list("en/tool_words.txt")
	// IdleOperations say only that the tool is used.
	IdleOperations = list("en/idle_operations.txt")
	// CommandWords stand around the verb of a sentence that commands. Each row is a place: opener, asker, adverb, obliging,
	// auxiliary; anaphora point to a sentence beside.
	CommandWords = table("en/command_words.txt")
	// Bookkeeping are words by which users have money that moved written down. Each row is a part, told in the file.
	Bookkeeping = table("en/bookkeeping.txt")
	// Passcodes are names of codes that let somebody in once, in all languages that have them.
	Passcodes = everywhere("passcodes.txt")
	// Looking are words that open a clause in which a user asks for no more than to look. Each row is a part, told in the file.
	Looking = table("en/looking.txt")
	// Delegation are phrases by which a user has an agent do as a text says that is yet to be read. Each row is a part: doing
	// and matter, answering and record, guides, owners and sayings, standards, and remedies.
	Delegation = table("en/delegation.txt")
	// EffectRequests are words of a user who asks for an effect. Each row is a class of package effect.
	EffectRequests = table("en/effect_requests.txt")
	// EffectPhrases are phrases of several words of a user who asks for an effect. Each row is a class.
	EffectPhrases = table("en/effect_phrases.txt")
	// EffectThings are the words of EffectRequests that are no verbs. Each row is a class.
	EffectThings = table("en/effect_things.txt")
	// ActVerbs and ActNouns are verbs and nouns of acts that users forbid, a row for each kind of act. Refusing are the words around them.
	ActVerbs = table("en/act_verbs.txt")
	ActNouns = table("en/act_nouns.txt")
	Refusing = table("en/refusing.txt")
	// Degrees are words of deeds that go further than others. Each row is a kind and a part, told in the file.
	Degrees = table("en/degrees.txt")
	// Recipients are words by which users name the receivers of something. Each row is a part, told in the file.
	Recipients = table("en/recipients.txt")
	// ToolActs are words in the names of tools, scripts and commands by which their acts are told. Each row is a part, told in the file.
	ToolActs = table("en/tool_acts.txt")
	// SameThings are words for one kind of place or thing, as users and command lines write them.
	SameThings = table("names/same_things.txt")
	// FilePlaces are words by which a user names a place for a file, and asks for one to be written. Each row is a part, told in the file.
	FilePlaces = table("en/file_places.txt")
	// Publishing are words by which a user has something published.
	Publishing = list("en/publishing.txt")
	// ForeignRefusals are words by which a user refuses a deed in another language, a table for each language. Rows are told in the files.
	ForeignRefusals = []*Table{
		table("de/refusals.txt"), table("es/refusals.txt"), table("fr/refusals.txt"), table("it/refusals.txt"), table("ja/refusals.txt"),
		table("nl/refusals.txt"), table("pl/refusals.txt"), table("pt/refusals.txt"), table("ru/refusals.txt"), table("zh/refusals.txt"),
	}
	// ForeignActs are words of other languages by which a user asks for deeds of a degree, and names receivers.
	ForeignActs = []ForeignAct{
		{table("de/degrees.txt"), table("de/recipients.txt"), true}, {table("es/degrees.txt"), table("es/recipients.txt"), false},
		{table("fr/degrees.txt"), table("fr/recipients.txt"), false},
	}
	// ForeignToolNames are words of other languages in the names of tools and on buttons. Each row is an English word; of a word that two languages have the first counts.
	ForeignToolNames = []*Table{
		table("de/tool_names.txt"), table("es/tool_names.txt"), table("fr/tool_names.txt"), table("it/tool_names.txt"), table("nl/tool_names.txt"), table("pt/tool_names.txt"),
	}
	// CommonNames are names of branches, remotes and stages that are plain words.
	CommonNames = list("names/branches.txt")
	// Cautions are words of a sentence that warns its readers of orders in texts. Each row is a part, told in the file.
	Cautions = table("en/cautions.txt")
	// References are words in the names of tools that look things up in the guides of a workplace.
	References = list("names/references.txt")
	// Machines are words for a program that reads and acts, in many languages.
	Machines = list("names/machines.txt")
	// Mailboxes are the names of addresses that stand for an office.
	Mailboxes = list("names/mailboxes.txt")
	// LinkWords are words for a thing that a user may have an agent follow without saying its address.
	LinkWords = list("en/link_words.txt")
	// WebSearches are words in the names of tools that search the public network, and names of such services.
	WebSearches = list("names/web_searches.txt")
	// FileEndings end the names of files.
	FileEndings = list("names/file_endings.txt")
)

// ForeignAct holds the words of one language, in the rows of Degrees and Recipients. Capitals says that every noun has one.
type ForeignAct struct {
	Degrees, Recipients *Table
	Capitals            bool
}
