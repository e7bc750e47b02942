// Package keyring keeps the signing keys of an installation in files.
//
// It owns how keys are made, found and put away. It refuses a private key that others may read, and to make a key in the
// place of one that is lost: a lost key is an error that a person has to see.
//
// # Files
//
// <id>.key is a private key, PKCS #8 in PEM, readable by its owner only; <id>.pub is its public half, PEM too, and stays for
// good. id is the first 16 hex digits of the SHA-256 of the public key. The log of receipts, not a file, says which key is
// in force.
package keyring
