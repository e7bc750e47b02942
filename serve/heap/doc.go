// Package heap delays the first garbage collection of a program. A start makes many small values that stay, tables and schemas, in a heap that begins
// with a few megabytes: the collector would walk them again and again before the first message is answered. The package imports next to nothing and is
// therefore initialised before most others.
package heap
