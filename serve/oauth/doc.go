// Package oauth checks the access tokens of an authorization server, and tells which caller and which scopes a token stands for. It signs people in
// there, too.
//
// It owns the checks of a token and of an identity, the keys of the issuer, and the mapping of claims to a caller. It refuses to decide which
// scopes an operation needs, and it never sends a token anywhere but to the introspection endpoint of the configuration, and a code
// nowhere but to the token endpoint of the issuer.
//
// # Invariants
//
// A token counts only if its issuer is the configured one, its audience holds this resource, and it has not ended.
// Signatures are by public keys alone: no algorithm of a shared secret, and not none, is read at all.
//
// A fault on the way to the issuer makes a token unavailable, never valid.
//
// No error quotes a token or a claim.
package oauth
