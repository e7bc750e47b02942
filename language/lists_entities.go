package language

// The lists by which the entities of a text are found and compared. Most of them are joined from all languages that have
// one: a name in a German sentence is found without knowing the language first.
var (
	// Openers are words that begin a sentence with a capital and name nothing, of all languages.
	Openers = everywhere("openers.txt")
	// Calendar are words that have a capital by rule and belong to no name.
	Calendar = everywhere("calendar.txt")
	// Titles precede a name and are no part of it.
	Titles = everywhere("titles.txt")
	// Honorifics follow a name, without a space, and are no part of it.
	Honorifics = everywhere("honorifics.txt")
	// Particles stand inside a name.
	Particles = everywhere("particles.txt")
	// Organizations are words that end the name of an organization.
	Organizations = everywhere("organizations.txt")
	// HumanVerbs are said of people alone.
	HumanVerbs = everywhere("human_verbs.txt")

	// Acronyms are words in capitals that name no particular thing. They are in capitals.
	Acronyms = list("en/acronyms.txt")
	// SoftwareEndings are acronyms that end the name of a system.
	SoftwareEndings = list("en/software_endings.txt")
	// Roles are held by one person at a time.
	Roles = list("en/roles.txt")
	// PredicateVerbs say what something is or does.
	PredicateVerbs = list("en/predicate_verbs.txt")
	// CommonHeads name nothing before a head such as team or project.
	CommonHeads = list("en/common_heads.txt")
	// GenericHeads are words that tell the kind of a name.
	GenericHeads = list("en/generic_heads.txt")
	// Determiners are articles and possessives.
	Determiners = list("en/determiners.txt")
	// Nobody are authors and subjects that stand for a side of a conversation.
	Nobody = list("en/nobody.txt")
	// NamingPredicates say that their value is another name of their subject, with underscores for spaces.
	NamingPredicates = list("en/naming_predicates.txt")
	// NoHosts are first words of a term that has a hyphen and is no name of a host.
	NoHosts = list("en/no_hosts.txt")
	// NoIdents stand in capitals before a hyphen and a number, and name no document. They are in capitals.
	NoIdents = list("names/no_idents.txt")

	// GivenNames are usual in some language. They have their capitals.
	GivenNames = list("names/given.txt")
	// Nicknames are the short forms of given names, by the given name. They have their capitals.
	Nicknames = table("names/nicknames.txt")
	// Companies are forms of companies by law at the end of a name, with how else they are written.
	Companies = table("names/companies.txt")
	// Places are countries and large cities. They have their capitals.
	Places = list("names/places.txt")
	// Systems are systems and tools by their usual name, with their other names. They have their capitals. A name
	// that is a common word too ends with "!": it counts only with its capitals.
	Systems = table("names/systems.txt")
)
