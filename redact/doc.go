// Package redact takes secrets and personal data out of text: it decides, by looking at the text alone, which parts must not
// be stored, indexed, logged or shown, and writes a placeholder in place of each.
//
// It owns the detectors, a table of values: each finds one family of secrets, says under which labels, and carries the
// samples that prove it. Adding a family means adding a file and a line in the table. Anything that has a kind of its
// own can be switched off by its label. One automaton over the literals of all families leads each to the places worth
// its look. It reads a bounded text there, and goes on behind that. Encoded text (escapes, base64,
// hexadecimal, UTF-16) is decoded and scanned again, three times at most, and its secrets mapped back; so is text that
// hides: characters that show nothing, and letters in another width.
//
// It refuses to do I/O of its own, to ask a vendor whether a token is live, and to honour any mark inside the text that
// would switch a detector off: the author of a text has no say in its redaction. A finding carries a label, a count
// and fingerprints, never the value.
//
// If a detector fails, or the context ends, no text comes out: Try, a Func, Copy and a Writer return an error, and
// Text, which has no context, panics with it; neither holds any of the text. A scan looks at its context every
// 32 KiB, and before each expression.
//
// The invariant: Text is idempotent; it changes only the bytes of a secret, so keys, punctuation and layout stay; text that
// was JSON, or a line of JSON, still is; its work grows with the length of any text; and text of any length is redacted in
// the same way whole or as it arrives.
//
// # Secrets that it does not find
//
// A secret without prefix, key or structure (32 bare hexadecimal digits in prose), or whose name is in a language of which
// there is no row. A password of words alone that a sentence tells, or that stands below its name: it looks as other words do. A
// passphrase of words alone counts where it has the line behind its name to itself ("passphrase: correct horse battery staple").
// A password that is a word for one in some language, or a sentence that has such a word: captions of fields look so.
// A passphrase of several words that holds a placeholder of a format ({name}, %s), letters joined to a variable
// (word-${X}), and a value with spaces between backticks right after a =: templates look so.
// The default communities of SNMP. A seed phrase whose checksum fails, or of another list of words than the English one.
// Letters of another script that look like those of ASCII. Names and addresses of people. Text that
// is compressed, drawn, encrypted, or encoded more than three times over. A value whose halves are in two texts.
//
// Text that is longer than a megabyte is looked at in pieces that overlap: a Kubernetes manifest whose kind stands more
// than a hundred kilobytes from its data is not recognised, and a secret that is longer than a piece leaves several
// placeholders. Of a table the rows count that lie in the piece of their header.
package redact
