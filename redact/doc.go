// Package redact takes secrets and personal data out of text: it decides, by looking at the text alone, what must not
// be stored, indexed, logged or shown, and writes a placeholder in its place.
//
// It owns the detectors, a table of values: each finds one family of secrets, says under which labels, and carries the
// samples that prove it. Adding a family means adding a file and a line in the table. Anything that has a kind of its
// own can be switched off by its label.
//
// It refuses to do I/O, to ask a vendor whether a token is live, and to honour any mark inside the text that would
// switch a detector off: who wrote the text does not decide what is redacted. A finding carries a label and a count,
// never the value.
//
// The invariant: Text is idempotent; it changes only the bytes of a secret, so keys, punctuation and layout stay; what
// was JSON, or a line of JSON, still is; and its work grows with the length of the text, whatever the text holds.
//
// # What it does not find yet
//
// A secret without prefix, key or structure (32 bare hexadecimal digits in prose). Values that are encoded (base64,
// hexadecimal, percent, \u escapes), wrapped over lines, or held in a {name, value} pair or a YAML block. E-mail
// addresses and telephone numbers, which a memory may rightly hold: they would join the table as kinds that are off
// unless a policy asks for them.
package redact
