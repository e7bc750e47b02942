// Package inmem keeps state in maps and slices: the reference for every other store.
//
// It executes memory.Query with Query.Match itself and keeps nothing when the process ends. It refuses to be fast.
package inmem
