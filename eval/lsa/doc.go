// Package lsa computes embeddings from texts alone: latent semantic analysis (Deerwester et al. 1990) of a collection.
//
// It stands in for a model where none can be run: words that occur in the same texts come near each other, and nothing else
// is known of them. The same collection gives the same vectors.
package lsa
