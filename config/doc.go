// Package config owns the settings: their table, the values in force, and where each value came from.
//
// A setting is one row of a table (see Setting). Its flag, its variable, its key in the file, its line in `ctx-mcp config show` and
// its row in docs/settings.md come from that row. Load puts the defaults, the file, the environment and the flags in force, in this
// order, and refuses a configuration that could not work: a mistake is an Error with CodeInvalid that names the line of the file,
// or the variable. The text of a secret is in no error and in no listing.
//
// The package turns settings into the options of the services. In a setting 0 is a value; in the options nil, or for a count 0,
// stands for the default, so a share of 0 arrives as a pointer to 0.
package config
