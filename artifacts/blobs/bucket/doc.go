// Package bucket keeps bytes by their digest in object storage that speaks S3, for servers on several machines.
//
// It owns the address, the keys of the objects, the requests, and the words of their errors. It refuses to know the meaning of the bytes, or who may see them. An
// object holds a file of package blobs, so a stretch is read by ranged requests and each chunk of it is checked.
//
// # Storing and removing
//
// Object storage cannot remove an object unless it was written again meanwhile, and the same content has the same digest. So each writing is an
// object of its own, PREFIX/DIGEST/ID, with an id that is never used again: a copy. A reader takes the newest copy that is whole, a removal deletes
// the copies that are older than its instant, and one that was written since has another name. Older copies of the same content
// go when the store is tidied.
//
// The age of a copy is the server's. It is compared with instants of this machine: a server refuses requests whose clock is 15 minutes off, and a sweep
// leaves an hour.
//
// # What differs from a folder
//
// A reader of a blob that is removed meanwhile gets CodeUnavailable for the rest. In a bucket that keeps versions, removed bytes stay until its own
// rules end them; Versioned tells.
package bucket
