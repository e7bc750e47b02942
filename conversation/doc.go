// Package conversation reads and writes the messages of an agent in the forms of the providers. It owns the one model of a message (Message, Part),
// the table of formats (formats), the pairing of calls with their results, and the repairs that make a conversation valid.
//
// It refuses a message that its format does not have, and a conversation in another format than its caller named, which the error names. It judges
// no content, counts no tokens, and decides nothing about the context of a model.
//
// Its invariant: a message that was not edited comes back byte for byte, and one that is written anew is the same JSON, with
// the members that this package does not know.
package conversation
