// Package embedtest is a local endpoint that speaks the OpenAI embeddings API, for tests of code that embeds.
//
// A Server answers honestly, with vectors from a function such as Hashed, until it is told a Fault. It counts and keeps
// the calls that it gets. It listens on a loopback port; InProcess reaches it without a network, for tests in a
// testing/synctest bubble, where time is fake.
package embedtest
