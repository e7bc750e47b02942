// Package audit finds the faults of memories: secrets in the clear, contradictions, duplicates, and memories that are
// stale, too large to be recalled, or never recalled.
//
// It owns the checks, a table: each has a kind, a word of advice, and the samples that prove it, one file per check.
// It refuses to do I/O, to ask a model, and to change or delete anything: a finding is for a person to judge.
//
// The invariants. A report holds no secret that redact finds: it names the label and the place, and every text in it
// was redacted whole before it was cut. The same records, options and instant give the same report, byte for byte,
// but for records in another order. The cost grows with the number of records, and each is kept as its terms and an
// excerpt, never its content.
package audit
