// Package change lines statements up by what they are about, and tells what a later one does to an earlier one: it says how
// things stand now, ends, replaces, moves, cancels, corrects, completes or hands over what was so.
//
// It owns a grammar of change: the clauses of a statement, the words of change in them (language.Changes), the phrase that
// names what was so before, the values that differ, and the matter that both speak of (language.Matters). Read reads a
// statement once, Compare weighs a pair by a table of features (weights.tsv), and LineUp compares the statements of a list and
// lets each give way to the one that fits it best.
//
// It is pure: no clock, no store. Two rules stand above all weights: a statement on lower authority changes none on higher,
// and nobody changes what another person says of themselves.
package change
