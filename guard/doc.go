// Package guard stands between an agent and its tools without the agent's help: Before decides a call, After makes its result fit for a model and
// records it. The front of other servers and the server behind a client's hooks use it alike.
//
// It owns the session that this needs: it begins with the first words or the first call of a conversation, hears the user where the front end
// can, goes on under a new handle where a conversation goes on after its end, and ends when the front end says so. It refuses to decide: actions
// does. It keeps nothing on disk of its own.
//
// Its invariant: a result is recorded before the next call of its session is decided, though its caller has the answer earlier.
package guard
