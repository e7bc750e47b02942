// Package fieldname finds a field by its name in a text: as a member of JSON at any depth, as a column of a table, or in a line such as "Total: 12".
//
// Names are compared by their words, without case, signs and endings. A value is told only where there is one; of several, the name alone is known.
package fieldname
