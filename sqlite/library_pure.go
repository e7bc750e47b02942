//go:build sqlite_pure

package sqlite

import (
	"errors"

	engine "modernc.org/sqlite"
)

// libraryName is the library's name in database/sql. Library says for people which one it is.
const (
	libraryName = "sqlite"
	Library     = "SQLite in Go"
)

// codeOf returns SQLite's primary result code of an error; 0 if it is none of SQLite's.
func codeOf(err error) int {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}
