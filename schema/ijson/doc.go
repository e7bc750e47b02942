// Package ijson keeps to the characters of I-JSON, the Internet JSON of RFC 7493: text that every reader understands alike.
//
// It owns one check, for what encoding/json alters without an error while it decodes: both faults become U+FFFD there, so
// that what is stored would not be what was sent. What decodes JSON from outside asks it first. It
// also tells how many values a text has, before it is decoded: what each takes in memory is many times its bytes.
package ijson
