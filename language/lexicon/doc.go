// Package lexicon tells how near two English words are in meaning: that "couch" means "sofa", that a truck is a vehicle, that
// who marries has a wife, that "k8s" is Kubernetes.
//
// It owns the base forms of words, and two sources of links between them: wordnet.bin, made of WordNet 3.0 by lexicon/build,
// and the words of software of language.SoftwareTerms and language.SoftwareFields. It refuses to rank: a likeness is a channel
// and a weight, and the ranking decides their worth beside others.
//
// The invariants: no model, no state, no I/O. wordnet.bin is read where it lies in the binary, so the first use costs no more
// than the later ones, but for the few hundred words of software, which are read at the first use. Words are in lower case.
//
// wordnet.bin is derived from WordNet 3.0, Copyright 2006 by Princeton University; LICENSE.wordnet holds for it and for every
// copy of it.
package lexicon
