// Package ranking orders the memories that a search found by how well they answer a question.
//
// It owns the reading of a question, once, into a Question; the features of a candidate and their weights; BM25; and the
// reading of similarities. Every function is pure: it reads no store, no clock and no configuration, so that equal input
// gives equal bits. It refuses to decide who may see a memory, or how many are returned: that is for its caller.
//
// The glossary of package ctxmcp defines the words.
package ranking
