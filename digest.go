package ctxmcp

import (
	"crypto/sha256"
	"encoding/hex"
)

// DigestPrefix names the algorithm in front of the digits of a DigestRef.
const DigestPrefix = "sha256:"

// Digest returns the SHA-256 of content as 64 hexadecimal digits: the name of a blob.
func Digest[T ~string | ~[]byte](content T) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// DigestRef returns the Digest of content behind DigestPrefix, as references to packets, keys and receipts are written.
func DigestRef[T ~string | ~[]byte](content T) string { return DigestPrefix + Digest(content) }
