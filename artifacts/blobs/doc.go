// Package blobs keeps bytes by their digest on a filesystem.
//
// It owns the files: how they are named, written and read. It refuses to know the meaning of the bytes, or who may
// see them. Its invariant: under a digest lie the bytes that have it, whole, or nothing. A blob that has been damaged
// since is reported and never served; to find that out, no more is read than was asked for.
//
// A file is named by the SHA-256 of the content, in folders by the first four digits. It holds the content, then for each
// MiB of it the SHA-256 and the number of line feeds, then a footer over these. PutAs gives a file another name than the
// digest; its footer says so, and binds the name. The footer guards against accidents, not
// against those who can write in the folder.
package blobs
