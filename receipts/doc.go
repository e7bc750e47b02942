// Package receipts proves decisions: one signed receipt for each, in a log that can only grow.
//
// It owns the form of a receipt and of the log, and the rules by which a bundle of them is valid. It refuses to give out a
// receipt that is not on disk, and to sign under a key other than the one that the log goes on with.
//
// # Invariants
//
// A body is written in the canonical form of RFC 8785 and signed with Ed25519 in a DSSE envelope. The envelope is a leaf of
// a Merkle tree (RFC 6962), whose head is signed after each append. So an edit, a removal, an insertion and a swap change
// the root; a cut tail changes the size. Only an older head that was kept shows that a whole log was put back to an older
// state.
package receipts
