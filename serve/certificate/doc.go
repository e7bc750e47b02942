// Package certificate holds the certificate that the HTTP server shows: from two files that are read again when they change, or from an
// authority that issues certificates by itself (ACME, RFC 8555).
//
// It refuses a key that everybody can read, and a pair whose parts do not belong together. It asks an authority for the configured names alone.
//
// The invariant: once a server has a certificate that works, nothing that happens to its files takes it away.
package certificate
