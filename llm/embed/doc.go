// Package embed turns texts into vectors through any endpoint that speaks the OpenAI embeddings API.
//
// It owns the whole conversation with the endpoint: batches, attempts, the waits between them, the circuit breaker,
// and the check of the answers. A caller sees one vector per text, in order, of one dimension and of unit length, or
// an error; never a part of an answer.
//
// It keeps secrets to itself. No error, and nothing that prints a value of this package, holds the API key or a text:
// the body of a failed answer is never read, and a network failure is named from a fixed list of words instead of
// being quoted.
//
// Its invariant is that the vectors of two clients may be compared only if their Model is the same. It does not store,
// cache or compare vectors.
package embed
