// Package relations names the relation that a question asks about, and that of a statement, where the two have no word in
// common: "which city am I in" and "we moved to a flat in Leith" are both about home.
//
// It owns the relations of everyday life and of software work, as tables in tables/: the forms of questions and of statements
// for each, the kind of answer, and samples of both. It refuses to rank, and to read the claim of a statement: that is for
// memory/extract, which reads subject and value. A relation found in both texts says that one may answer the other.
//
// The invariants: every function is pure, and the tables are read at the first use. Every sample of a relation is found by its
// forms. docs/extending/relation.md says how to add one.
package relations
