// Package access gives out bearer tokens and tells which caller a token stands for.
//
// It owns the form of a token, the bounds of its caller, and the time in which it counts. It refuses to decide the
// rights of a caller: those are in the ctxmcp.Caller of a token, which is fixed when the token is made.
//
// # Invariants
//
// The secret of a token exists once, in the answer of Create. Nothing that is stored, listed, returned as an error or
// logged holds it or any part of it.
//
// A caller without a valid token learns only that: unknown, malformed, expired and revoked tokens get one and the
// same answer.
//
// Authenticate reads the store each time, one row by its primary key, and keeps nothing: a revoked token is refused from
// the next request on, in every process.
package access
