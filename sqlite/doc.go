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
// # Concurrency
//
// One connection writes. Changes that arrive while a transaction is being made durable are committed together in the
// next. Processes take turns by an advisory lock on a file beside the database: SQLite's own busy handler starves a
// waiting process for seconds. Reads run on a pool of connections and never wait for a writer.
//
// # Layout
//
// A version's row id is the number of its scope in the high bits and a sequence in the low 32, so that the rows of one
// namespace are one contiguous range in every index, the full-text index included: what another namespace holds costs
// nothing to skip.
package sqlite
