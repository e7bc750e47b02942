// Package connect writes ctx-mcp into the configurations of MCP clients, and takes it out again.
//
// It owns the table of clients (where each keeps its servers, in which form, and where that is documented) and the editing of the three kinds
// of files: JSON with comments, TOML and YAML. An edit changes the text of one entry. Everything else, comments, order and spaces, stays as it
// is, and each edit is checked by reading both texts: they differ in that entry only.
//
// It refuses a file that it cannot read in full, an entry that is written in a form that it cannot edit, and a file that changed meanwhile. A
// file is replaced whole or not at all, and keeps its permissions. Beside it stands a backup, by which Undo brings back the bytes of before
// where nobody else has changed the file since, and else takes out the one entry.
package connect
