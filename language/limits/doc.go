// Package limits tells whether a question asks for a limit on what somebody can eat, take or bear, and whether a statement is
// one: "what should the cake not contain" and "Ines has coeliac disease" have no word in common.
//
// It owns the classes of words that make such a question or statement together: a denial beside food, a cause beside a
// reaction, an illness by itself. Words of the classes are lists of package language, and food, medicines and illnesses are
// also told by their classes in the lexicon. It neither names the subject of a text nor ranks.
//
// The invariants: every function is pure, and a rule of any other kind, "never book on a Wednesday", is no limit. Only English is read.
package limits
