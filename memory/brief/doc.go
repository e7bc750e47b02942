// Package brief owns how memories are told to a reader: a memory as an entry of a text, and the brief, which is composed of
// parts. It is pure: it chooses among the objects that it is given, and reads no store.
//
// Its invariant: the text of a memory stays within its entry. An entry begins with "[" at the beginning of a line, and no
// other line of it does.
package brief
