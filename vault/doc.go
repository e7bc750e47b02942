// Package vault seals single fields at rest.
//
// It owns two kinds of keys: data keys, which seal fields and are kept in the store, themselves sealed; and the key of the
// installation, which seals them and is kept by the operator, elsewhere. It refuses to make data keys where there have been
// some: a wrong or missing key is an error, never a new beginning.
//
// # Invariants
//
// A sealed field opens at its own place only: moved to another row or column it does not open.
//
// The key of the installation is in no file of the data directory, no error and no log. It can be changed without touching a
// sealed field.
//
// Fields are sealed with AES-256-GCM under keysets of Tink, whose format this is.
package vault
