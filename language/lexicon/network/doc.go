// Package network holds words and the weighted links between them in one string of bytes, which is searched as it lies there.
//
// It owns the format: Encode writes it, Open reads it. Opening checks the head only, so it costs microseconds and no
// memory: the bytes stay where they are embedded. It refuses to judge the meaning of a link, or how near two words
// are: that is for package lexicon, and the weights are made by lexicon/build.
//
// The invariant: equal entries give equal bytes. Words stand in the order of their bytes, sixteen a block, each written as
// the number of bytes that it shares with the word before it, and the rest; a link is the number of its word, as the
// difference to the link before it, and a weight of four bits.
package network
