// Package seal encrypts the originals of redacted texts, for an operator who chose to keep them.
//
// It owns the key while the process runs. It refuses to write bytes in the clear. The format is age's (age-encryption.org/v1),
// so that an original can be opened without this program.
package seal
