// Package access gives out bearer tokens and tells which caller a token stands for.
//
// It owns the form of a token, what a token may be bound to, and when it counts. It refuses to decide what a caller may
// do: that is said by the ctxmcp.Caller which a token is bound to, and the caller is fixed when the token is made.
//
// # Invariants
//
// The secret of a token exists once, in the answer of Create. Nothing that is stored, listed, returned as an error or
// logged holds it or any part of it.
//
// Whoever presents something that is not a valid token learns only that: unknown, malformed, expired and revoked get one
// and the same answer.
//
// Authenticate reads the store each time, one row by its primary key, and keeps nothing: a revoked token is refused from
// the next request on, in every process.
package access
