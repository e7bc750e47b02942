// Package extract reads the claims of a statement, and its acts on things that were said before it.
//
// It owns two tables of forms of English, of claims ("the report is due on Friday") and of acts ("I sold the car", "we
// moved it to Monday", "delete that"), each form with the samples that it must and must not read. It knows no store and
// no caller: whether there is anything that an act concerns, and who may touch it, is for package memory to find out.
//
// The invariant: nothing is invented. Every word of a reading stands in the text, and a text that is hedged,
// hypothetical, asked, quoted or negated reads as nothing, or, for "no longer", as an end.
//
// The glossary of package ctxmcp defines the words.
package extract
