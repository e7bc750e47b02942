// Package pattern compiles the regular expressions that callers send, in the syntax of RE2, and bounds the cost of running one.
//
// It owns the bound of an expression: its size is told from its parse tree, before anything of it is built. It refuses what
// is larger, and look-around and back-references, which RE2 does not have. Matching is in time proportional to the size of
// the expression and the length of the text (Cox, "Regular Expression Matching Can Be Simple And Fast", 2007), so that who
// bounds their product bounds the time.
package pattern
