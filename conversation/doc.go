// Package conversation reads and writes the messages of an agent in the forms of the providers. It owns the one model of a message (Message, Part),
// the table of formats (formats), the pairing of calls with their results, and the repairs that make a conversation valid.
//
// It refuses a message that its format does not have, and a conversation that is in another format than was said, by its name. It judges nothing of
// what is said, counts no tokens, and decides nothing about what a model gets to see.
//
// Its invariant: a message that was not edited comes back byte for byte, and one that is written anew is the same JSON, with
// the members that this package does not know.
package conversation
