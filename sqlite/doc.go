// Package sqlite is the embedded store: one file, durable, shared by any number of processes.
//
// It owns the schema, the durability and the query plans. It refuses every rule about who or what: memory.Query and
// memory.Change say that.
//
// # Durability
//
// The journal is a write-ahead log with synchronous=FULL, set explicitly because the driver's build makes NORMAL the
// default, which loses acknowledged writes when the power fails. When Apply returns, the change is on disk.
//
// # Forgetting
//
// An erasure deletes in its transaction, and then writes the whole database anew and empties the log, because SQLite keeps
// copies of deleted rows in pages and words in the full-text index. When Apply returns, the erased content is in no file,
// unless a reader is still using it or the disk is full. The next write makes up for a reader. A table lists what is
// unfinished: the close and the next start finish it.
//
// # Keys
//
// With Keys, each version and each reference to an artifact is sealed under a key of its own, and an erasure or a removal destroys the key once its
// transaction is committed: a table lists the keys that are owed. The index then holds digests of words, and so do the columns by which content is found. A reader takes both forms; a version whose key is gone
// is not there. The order is that no version is ever written before its key is durable.
//
// # Concurrency
//
// One connection writes. Changes that arrive while a transaction is being made durable are committed together in the
// next. Processes take turns by an advisory lock on a file beside the database: SQLite's own busy handler starves a
// waiting process for seconds. Reads run on a pool of connections and never wait for a writer.
//
// # Layout
//
// A version's row id is the number of its scope in the high bits and a sequence in the low 32, so that the rows of
// one namespace are one contiguous range in every index, the full-text index included: the rows of another namespace
// cost nothing to skip.
//
// # Memory
//
// Copies of vectors and postings of words are kept by scope, within bounds, and follow the changes of every process: vectors
// by the number of the write, words by the row id, both by the number of the last erasure. They only propose: every result was
// read from the database in the transaction of the search.
package sqlite
