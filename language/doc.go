// Package language holds the words of natural languages, and the rules that turn text into words.
//
// It owns the terms of a full-text index (segmentation, case and accent folding, stop words, English morphology, bigrams for
// scripts that are written without spaces), the stemmers, the guess of a language, and every list of words that another package
// reads text by. The lists are data: files of one entry a line in a folder for each language (en, de, ...) and in names for
// names that all of them share. The variable here, and the head of the file, say what a list means; the package that asks
// decides what follows from a word. Package language refuses to rank, and it holds no weights. docs/extending/language.md says
// how to add a language.
//
// Every store uses Terms for writing and Query for reading, so that a term found by one is found by all.
//
// The invariants: a term is never empty and holds only ASCII letters and digits and code points from U+0080 up, no space
// among them, so that terms joined by spaces can be split again by any tokenizer that splits at ASCII punctuation. A list is
// read at its first use and never changes.
package language
