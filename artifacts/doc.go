// Package artifacts keeps what is too large for a prompt, and gives back the parts that are asked for.
//
// It owns the handles: how bytes become an artifact, who may see one, which slice of it answers a question, and when it
// has had its time. It refuses to keep, and to return, bytes from before redaction, but for the encrypted originals that an
// operator may have chosen to keep. Its invariant: the blob is on disk before its row, and a row that is gone is never
// served.
package artifacts
