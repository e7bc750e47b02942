package sqlite

// SQLite's primary result codes, as far as they are told apart (sqlite.org/rescode.html).
const (
	codePerm     = 3
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeIO       = 10
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
)
