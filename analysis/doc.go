// Package analysis turns text into the terms of a full-text index, and a question into the terms to look for.
//
// It owns the words: segmentation, case and accent folding, stop words, English morphology, and bigrams for scripts that
// are written without spaces. It refuses to rank. Every store uses it for writing and for reading, so that a term found by
// one is found by all.
//
// The invariant: a term is never empty and holds only ASCII letters and digits and code points from U+0080 up, no space
// among them, so that terms joined by spaces can be split again by any tokenizer that splits at ASCII punctuation.
package analysis
