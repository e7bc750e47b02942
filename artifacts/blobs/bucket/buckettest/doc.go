// Package buckettest starts object storage for the tests of one program: one that lives in memory and asks for no signature, and one that is strict, where
// its program is installed.
package buckettest
