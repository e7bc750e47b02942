// Package wordvec tells how like two texts are in meaning, by vectors of English words: a question after the "holiday abroad" is like a
// statement on "a flight to Lisbon", though no dictionary links their words.
//
// It owns words.bin, the vectors of 40,000 common words, which wordvec/build makes of vectors that others have learned from texts, and of a
// map that brings questions near to their answers. The
// likeness of two texts is the cosine of the sums of the vectors of their words, each weighed by its rarity (a + p in the denominator,
// as in the smooth inverse frequency of Arora, Liang and Ma, 2017). It refuses to rank: the ranking decides what a likeness is worth.
//
// The invariants: no state and no I/O; words.bin is read where it lies in the binary, so that the first use costs no more than later ones.
// All sums are of whole numbers, so that every machine gives the same bits. A word that the table lacks adds nothing, and a text of no
// known word is like no other.
package wordvec
