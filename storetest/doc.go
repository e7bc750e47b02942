// Package storetest is the specification of a store, as tests. A store joins by calling Run from a test of its own.
//
// It owns no rule: memory.Query.Match says what a query selects, and package inmem, which applies Match to every row, is
// the store that the others are compared with over random histories.
package storetest
