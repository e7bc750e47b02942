// Package sealed keeps the bytes of another store of blobs sealed, each content under a key of its own that lies elsewhere.
//
// It owns the form of a sealed file, and the order of keys and files. It refuses to know who asks for bytes, or why they go. Its invariant: bytes that
// were stored can be opened until they are removed, and by nobody afterwards, from whatever copy of the files.
//
// # The form
//
// A file lies under a keyed digest of the digest of its content. It holds the content in chunks, each sealed by AES-256-GCM with its number as nonce, so
// that a stretch is read by opening the chunks that it touches. Behind them, sealed likewise, stand the size, the digest and the line feeds of each
// chunk, and the size in the clear. A key is used for one content alone, so the same nonce always seals the same bytes, and the same content makes
// the same file.
//
// # Storing and removing
//
// A writer says when it wants a key, before it writes the file, and a removal destroys only a key that nobody has wanted since its instant: both in one
// statement of the store of the keys. Bytes that are stored during a removal get a new key, and a new file. A key that was wanted a short while ago is
// not noted again, so a removal with an instant leaves what was stored up to ten minutes before it.
//
// Contents that were stored before there were keys are read as they are, until they are removed.
package sealed
