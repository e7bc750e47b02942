// Package rules reads tables of rules for redact in the TOML form of gitleaks: an installation's own, and the table of
// vendors that gitleaks publishes under the MIT licence.
//
// It takes the table alone, not the scanner: that runs each expression over the whole of a text, gives no positions,
// and lets the text switch a finding off. The rows of secrets that redact finds by itself (named passwords, private keys, web tokens) are
// left out of the table.
package rules
