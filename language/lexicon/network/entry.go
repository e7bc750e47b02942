package network

// Channel is a way in which two words are linked. The numbers are stored: they are append-only.
type Channel uint8

const (
	None     Channel = iota
	Synonym          // the same meaning, a derivation of it, or a similar one
	Ancestor         // the linked word is more general
	Gloss            // the linked word stands in the definition
	Related          // a part, a whole, a cause, a field
	Antonym          // the opposite
	channels
)

// Part is a set of parts of speech.
type Part uint8

const (
	Noun Part = 1 << iota
	Verb
	Adjective
	Adverb
)

// Entry is a word with its properties and links.
type Entry struct {
	Word  string
	Parts Part
	// Commonness is the frequency of the word in general texts, from 0, rare or unknown, to MaxCommonness.
	Commonness int
	Links      []Link
}

// Link leads to another word of the network. Weight is above 0 and at most 1.
type Link struct {
	Word    string
	Channel Channel
	Weight  float64
}

// Form is an inflected form that no rule brings to its base.
type Form struct{ Form, Base string }

// MaxCommonness is the commonness of the words of every day.
const MaxCommonness = 15

// MaxHub is the largest logarithm of the words that lead to one.
const MaxHub = 15

// steps is the number of weights: a weight is kept as the nearest of 1/16, 2/16, ... 1.
const steps = 16

const (
	blockSize   = 16 // words
	maxLinks    = 31 // of one channel
	maxWord     = 250
	magic       = "ctxlex1\n"
	headNumbers = 7
	headLength  = len(magic) + 4*headNumbers
)
