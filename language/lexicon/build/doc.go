// Command build makes the lexical network of package lexicon from the files of WordNet 3.0: `make lexicon`.
//
// It owns the worth of links: which pointers of WordNet link two words and in which channel, the shares of meanings by which links are weighed, and
// how general an ancestor may be. It writes language/lexicon/wordnet.bin with the licence that holds for it and, so that a test can tell whether
// another WordNet is installed, the digests of the files that it read. The bytes follow from the files alone.
package main
