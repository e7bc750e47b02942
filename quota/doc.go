// Package quota bounds how much a tenant may hold, and words the refusal of a write that goes beyond.
//
// A write says what it adds as claims. The store looks at them inside the transaction that writes, against counts that it keeps exact
// in the same transactions, so that no number of callers, processes or retries gets past a limit. A write that is over one is refused
// as a whole, and nothing of it is stored.
//
// A write that only takes away, or sets aside, makes no claim: a tenant that is full can always make room. A correction, which ends
// what it replaces, has a reserve of a tenth above the limit, so that memories can be corrected when there are too many.
package quota
