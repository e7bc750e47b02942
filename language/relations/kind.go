package relations

// Kind is a kind of answer.
type Kind string

const (
	Place        Kind = "place"
	Person       Kind = "person"
	Organization Kind = "organization"
	Time         Kind = "time"     // a date, a day, an hour, how often
	Duration     Kind = "duration" // how long
	Amount       Kind = "amount"   // of money, or of anything that is measured
	Number       Kind = "number"   // a count, a version, a port, a telephone number
	Name         Kind = "name"     // the name of something: a title, an address on the net, a path
	Thing        Kind = "thing"    // a product, a tool, a food, an animal
	Way          Kind = "way"      // how something is done
	Reason       Kind = "reason"
	Rule         Kind = "rule" // an obligation or a ban
	YesNo        Kind = "yes or no"
)

var kinds = map[Kind]bool{
	Place: true, Person: true, Organization: true, Time: true, Duration: true, Amount: true, Number: true, Name: true, Thing: true,
	Way: true, Reason: true, Rule: true, YesNo: true,
}
