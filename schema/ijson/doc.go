// Package ijson keeps to I-JSON, the Internet JSON of RFC 7493: text that every reader understands alike, and its one canonical form.
//
// Check finds the two faults that encoding/json alters without an error while it decodes: both become U+FFFD there, so that the stored text
// would differ from the sent one. A caller that decodes JSON from outside asks it first. Values tells how many values a text has, before it
// is decoded: each takes many times its bytes in memory. Canonical writes the form of RFC 8785, which is hashed and signed; Compact the form
// that a model reads. Decode reads any size of JSON while a context lasts, and Members and Elements part it without decoding.
package ijson
