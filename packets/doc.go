// Package packets keeps what a model was shown, so that anybody can prove it later.
//
// A packet is one compile or one retrieval: its inputs, its output, the policy that decided, and every source at its
// version with its digest. Its canonical form is the RFC 8785 JSON of all of that, and its name, the context_ref, is the
// SHA-256 of the canonical form.
//
// The package owns the form, the names, retention, the proof (verify, bundle, replay) and the admission to a packet. It refuses
// to keep a secret: a text that the redactor would still hide is an error, not a packet. Its invariant: a packet never changes,
// and one whose bytes do not have its name is never served.
//
// The glossary of package ctxmcp defines the words.
package packets
