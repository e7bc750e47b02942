// Package credentials keeps the credentials of the servers behind the gateway: secrets that the operator has stored under a name, and the tokens of users
// who have signed in to a server.
//
// It owns a file in which each of them is sealed (Wallet), the sign-in by browser (SignIn: authorization code with PKCE, discovery, registration)
// and the renewal of tokens (Keeper). It refuses to keep anything where no key of the installation is configured, and to decide who may use a
// server.
//
// # Invariants
//
// Nothing rests in the clear, and no error quotes a secret.
//
// A token goes to the server for which it was given, and a code or a refresh token to the authorization server that gave it, and nowhere else.
package credentials
