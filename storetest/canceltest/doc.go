// Package canceltest proves that work ends soon after nobody waits for it any more, without looking at a clock: it counts
// how often the work looks at its context.
//
// The law: between two looks at most so many bytes are worked on; once the context has ended, at whichever look, the
// work comes back with the context's error after a few looks more.
package canceltest
