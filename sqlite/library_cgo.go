//go:build !sqlite_pure

package sqlite

import (
	"errors"

	"github.com/mattn/go-sqlite3"
)

// libraryName is the library's name in database/sql. Library says for people which one it is.
const (
	libraryName = "sqlite3"
	Library     = "SQLite in C"
)

// codeOf returns SQLite's primary result code of an error; 0 if it is none of SQLite's.
func codeOf(err error) int {
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		return int(e.Code)
	}
	return 0
}
