// Package console shows a person what the server holds, in a browser: memories with their two time lines, compiled contexts with a
// reason for every line, sessions of actions, artifacts, and the decisions that wait. It is html/template, one style sheet and two small
// scripts, embedded.
//
// It refuses any rule of its own: each page asks a service, with the caller of the request, and shows the answer. Each page is also JSON,
// under its address with .json behind it, and reads without script.
//
// The invariants: nobody sees a page without the secret that the operator was given, a token, or a sign-in elsewhere; nothing that is stored is markup, a link
// out or a script; bidirectional and invisible characters are shown as what they are.
package console
