// Package hook answers the hooks of clients: an event of a client's session comes in, as the client writes it, and the answer goes out in the
// form that the client reads.
//
// It owns the table of events: one row a client and event says what the event means here, and the table of forms says what each client takes for
// an answer. It refuses to grant: where a call is allowed, it says nothing, and the client asks its user as it would without the hook.
//
// Its invariant: an event that must not pass unjudged is denied, and said, where nothing could judge it; Fail decides by the configuration.
package hook
