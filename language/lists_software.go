package language

// The words of software work, by which the lexicon links words that no dictionary has.
var (
	// SoftwareTerms are rows of words and phrases for the same thing, the head among them.
	SoftwareTerms = table("en/software_terms.txt")
	// SoftwareFields are rows of words of one field, without the head.
	SoftwareFields = table("en/software_fields.txt")
)
