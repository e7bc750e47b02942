package effect

import "slices"

// Class says what a call would do to the world. The words stand in rules and in stored findings: append only.
type Class string

// The classes, from the harmless ones.
const (
	Read         Class = "read"
	Local        Class = "local_write"
	Build        Class = "build"
	NetworkRead  Class = "network_read"
	Input        Class = "input"
	Unknown      Class = "unknown"
	Change       Class = "change"
	Install      Class = "install"
	Message      Class = "message"
	NetworkWrite Class = "network_write"
	Money        Class = "money"
	Access       Class = "access"
	Destroy      Class = "destroy"
	Infra        Class = "infra"
	RunFetched   Class = "run_fetched"
	Persist      Class = "persist"
	Security     Class = "security"
)

// Kind is a row of the table of classes.
type Kind struct {
	Class  Class
	Danger int    // 0 to 4
	Doc    string // the effect of the call, as the end of a sentence
}

// kinds is the table, from the least dangerous.
var kinds = []Kind{
	{Read, 0, "looks at something"},
	{Local, 0, "writes inside the workspace, or something new beside it"},
	{Build, 0, "builds, tests or prepares the project by its own files"},
	{NetworkRead, 1, "fetches something from the network"},
	{Input, 1, "fills in what is not sent yet"},
	{Unknown, 2, "does something that no table knows"},
	{Change, 2, "changes a record of a service"},
	{Install, 2, "installs a package by its name"},
	{Message, 2, "sends a message to people"},
	{NetworkWrite, 3, "sends data to an address"},
	{Money, 3, "moves money or buys something"},
	{Access, 3, "gives somebody access"},
	{Destroy, 3, "deletes or overwrites what is not of the workspace"},
	{Infra, 3, "changes infrastructure as its files say, and may replace what holds data"},
	{RunFetched, 4, "runs code that is fetched for it"},
	{Persist, 4, "leaves something that runs, or is obeyed, later"},
	{Security, 4, "changes a setting of security"},
}

// Kinds lists the classes.
func Kinds() []Kind { return kinds }

// Classes lists the vocabulary.
func Classes() []Class {
	var all []Class
	for _, k := range kinds {
		all = append(all, k.Class)
	}
	return all
}

// kind returns the row of a class, and that of Unknown for a word that is none.
func (c Class) kind() Kind {
	for _, k := range kinds {
		if k.Class == c {
			return k
		}
	}
	return Unknown.kind()
}

// rank orders the classes as their table does.
func (c Class) rank() int { return slices.IndexFunc(kinds, func(k Kind) bool { return k.Class == c }) }

// Danger says how much harm the class can do, from 0 to 4.
func (c Class) Danger() int { return c.kind().Danger }

// Doc says in words what a call of the class does.
func (c Class) Doc() string { return c.kind().Doc }

// Outward reports whether something leaves with an effect of the class.
func (c Class) Outward() bool {
	switch c {
	case NetworkRead, Input, Unknown, Change, Message, NetworkWrite, Money, Access, Persist:
		return true
	default:
		return false
	}
}
