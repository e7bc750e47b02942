// Package postgres keeps the store in PostgreSQL 15 or later, for many servers at once.
//
// It owns the schema, the connections, the lock of the writers and the form of the statements there. The statements themselves, the checks and the
// order of writes are those of package sqlite, which it hands an Engine: a store has one meaning, and storetest compares both with one reference.
//
// # Statements
//
// A connection takes the statements of package sqlite and translates each once (translate.go): parameters, the functions that PostgreSQL names
// otherwise, and the few statements that have a form of their own. They are sent by the simple protocol: no statement is prepared and nothing is set
// for a session, which a pooler in transaction mode needs; TestPooledServers runs through PgBouncer.
//
// # Concurrency
//
// A transaction that writes is READ COMMITTED, and its first statement takes advisory locks of its tenants that end with it. Under a snapshot that is
// older than the locks, a check would see rows that have been replaced. A server commits a group of changes for each tenant, and the groups of several
// tenants side by side; reads take no lock and see one snapshot. The tenants share two things, which a transaction locks last and in this order: the
// log of receipts, which has no gaps, and the table of erasures, whose numbers have the order of the commits. Numbers of other tables are looked at
// within a tenant alone. A commit whose answer is lost is looked up by the number of its transaction.
//
// # Schema
//
// Servers of two versions run at once while they are replaced one by one: the first new one brings the schema up to date, in one transaction, and the
// others go on under it. So a step adds tables, indexes and columns that may be empty or have a default, and takes nothing away; what a version does not
// use any more goes with the version after it (later_test.go holds both). A server that starts under a schema of a later version is refused.
//
// # Tenants
//
// Each transaction names the tenants whose rows it is about, in its first message, and row-level security keeps others from roles that do not own the
// tables (fence.go, migration 0007). A read outside of a transaction gets one for this: two messages more.
//
// # Forgetting
//
// An erasure deletes the rows, and every server takes what was erased out of its memory within a second. PostgreSQL keeps the bytes of dead rows, and
// its write-ahead log, replicas and backups for as long as they are kept: the embedded store's promise about files does not hold here until an operator
// finishes the erasure (docs/erasure.md). Keys in a database of their own make the bytes of memories worthless at once.
//
// # Text
//
// Text is compared byte by byte (COLLATE "C"). Documents are JSON in columns of text, because jsonb refuses the character U+0000, which JSON writes as
// an escape. A text with the byte 0, or with bytes that are no UTF-8, is kept with these bytes written as a mark and two digits (driver.go).
package postgres
