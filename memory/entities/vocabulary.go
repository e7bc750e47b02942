package entities

// Kind is the kind of an entity. The words are stored and sent: append only.
type Kind string

// The kinds. Unknown goes with every other.
const (
	Unknown      Kind = "unknown"
	Person       Kind = "person"
	Team         Kind = "team"
	Organization Kind = "organization"
	Project      Kind = "project"
	Repository   Kind = "repository"
	System       Kind = "system"
	Tool         Kind = "tool"
	Document     Kind = "document"
	Place        Kind = "place"
	Role         Kind = "role"
	Symbol       Kind = "symbol"
)

// Kinds lists the vocabulary.
func Kinds() []Kind {
	return []Kind{Unknown, Person, Team, Organization, Project, Repository, System, Tool, Document, Place, Role, Symbol}
}

// goesWith reports whether one entity can be of both kinds.
func (k Kind) goesWith(other Kind) bool {
	if k == other || k == Unknown || other == Unknown {
		return true
	}
	for _, family := range families {
		if family[k] && family[other] {
			return true
		}
	}
	return false
}

// families are kinds that people use for one thing: a project, its repository and the system that runs.
var families = []map[Kind]bool{
	{Project: true, Repository: true, System: true, Tool: true},
	{Organization: true, Team: true},
}

// Form says how something is named. The words are stored: append only.
type Form string

// The forms.
const (
	Proper Form = "name"     // a name in words
	Email  Form = "email"    // an address
	Handle Form = "handle"   // @name
	Path   Form = "path"     // of a file, or the address of a repository or a page
	Ident  Form = "document" // number of a document or ticket
	Code   Form = "code"     // a symbol of a program
)

// identifies reports whether everybody who uses the same text in this form means the same thing.
func (f Form) identifies() bool { return f == Email || f == Path || f == Ident || f == Code }

// State is the state of a node. The words are stored: append only.
type State string

// The states.
const (
	Canonical State = "canonical" // an entity of its own
	Pending   State = "pending"   // may be another; a review will tell
	Merged    State = "merged"    // one with another
)

// States lists the vocabulary.
func States() []State { return []State{Canonical, Pending, Merged} }

// Verdict is the outcome for a mention. The words are sent: append only.
type Verdict string

// The verdicts.
const (
	Bound     Verdict = "merged"  // it names an entity that is known
	Undecided Verdict = "pending" // it may name one; a review will tell
	Created   Verdict = "created" // it names a new one
)

// Verdicts lists the vocabulary.
func Verdicts() []Verdict { return []Verdict{Bound, Undecided, Created} }

// underMerge bounds a score where something else than likeness forbids a merge without a question.
const underMerge = 0.949

// The thresholds of the similarity score.
const (
	MergeFrom  = 0.95 // from here on a mention is bound without a question
	ReviewOver = 0.70 // over this it waits for review; the rest is new
)
