package language

// The lists by which memory reads statements and questions.
var (
	// Fillers add nothing to a claim that is held: two statements are compared without them.
	Fillers = list("en/fillers.txt")
	// Negations deny or limit a statement: one without them says something else.
	Negations = list("en/negations.txt")
	// Unspecific words describe no target of a change: its kind, and its time.
	Unspecific = list("en/unspecific.txt")
	// ManyValued are the predicates that hold for several values at a time, with underscores for spaces.
	ManyValued = list("en/many_valued.txt")
	// Genres are words for a kind of work or activity. Each row is a kind; the words of "any" go with every kind.
	Genres = table("en/genres.txt")
	// Asks are phrases by which a question asks for a kind of statement. Each row is a kind: appointment, money, name,
	// number, task, taste, time.
	Asks = table("en/asks.txt")
	// Tells are phrases of the statements of a kind, by the kinds of Asks; a name is told by its capital.
	Tells = table("en/tells.txt")
	// Sought are words in which the statements of a kind are made, to search for beside those of a question.
	Sought = table("en/sought.txt")
	// Questions are phrases by which a question asks for the present, the past, an earlier state, the state before a change, the assistant, and
	// the one who asks. Each row is one of those.
	Questions = table("en/questions.txt")
	// People are words that tell whom a text is about. Its rows are self, own, roles and told.
	People = table("en/people.txt")
	// Kin are the words for each close relative, by the one that asks for them.
	Kin = table("en/kin.txt")
	// Requests are phrases by which a question asks for everything on a topic: a brief, all about somebody, a list, the kinds
	// of objects, and to be forgotten. Its row words holds the words that say nothing of a topic, and whole those for a group of people
	// or a thing as a whole, as in "our family".
	Requests = table("en/requests.txt")
	// Brief are phrases of the statements that belong to a part of a brief: constraint, decision, people, preference, task;
	// and of those that stand first in one: an introduction, a norm.
	Brief = table("en/brief.txt")
	// Clauses are phrases of a clause that states nothing. Each row is a reason: about_talk, back, hedge, parting, parting_beside,
	// parting_order, small_talk, vague.
	Clauses = table("en/clauses.txt")
	// Limits are phrases by which a question asks for a limit on what somebody can eat, take or bear, and those of statements of one.
	Limits = table("en/limits.txt")
	// Changes are phrases of a statement that something has changed, by the kind of change, and phrases that speak against
	// one. "_" stands for up to four words between.
	Changes = table("en/changes.txt")
	// Matters are things of which one holds at a time, such as an address or an employer, with the words in which people speak
	// of them.
	Matters = table("en/matters.txt")
	// States are phrases for a state of somebody or something, by "matter:state": of one matter one state holds at a time.
	States = table("en/states.txt")
	// Predicates are predicates of claims that mean one thing, by the first of them.
	Predicates = table("en/predicates.txt")
	// Thinking are phrases by which an agent begins to think aloud.
	Thinking = list("en/thinking.txt")
	// Elsewhere are phrases by which a statement says that it is of another project, team or employer than the one at hand. Its rows are place,
	// of phrases that suffice by themselves; beside, of those that speak of the words behind them; and kind, of the kinds of such places.
	Elsewhere = table("en/elsewhere.txt")
	// Abbreviations end with a full stop that ends no sentence, in the case in which they are written.
	Abbreviations = list("en/abbreviations.txt")
	// Months are the English names of the months.
	Months = list("en/months.txt")
	// Weekdays are the English names of the days of the week.
	Weekdays = list("en/weekdays.txt")
	// Standing are phrases by which a statement says that it holds for any question. Its rows are always, of a reason why it matters; general, of
	// a preference itself; rule, of a habit with "always" or "never"; no_rule, of words that only sound like one; leave and again, which lift one together; and declared and excepting, of how things
	// are from now on, or this once.
	Standing = table("en/standing.txt")
	// Wishes are words by which people take back or change what they asked for. Its rows are adding, affirming, being, correcting, deed, denying, light,
	// opening, own, permitting, pointing, reason, relating, replacing, setting and wanting.
	Wishes = table("en/wishes.txt")
	// Areas are areas of work and of life, with the words in which requests and guidance speak of them.
	Areas = table("en/areas.txt")
	// Assent are words by which somebody agrees or moves on, and verbs of every day that name no matter.
	Assent = list("en/assent.txt")
)
