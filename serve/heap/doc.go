// Package heap has garbage collections wait until a heap is worth one. A start makes many small values that stay, tables and schemas, in a heap that begins
// with a few megabytes, and a call makes values of as many megabytes as a small server holds: the collector would walk all that stays again and again.
// A server that holds more than the half of the floor is collected as ever. The package imports next to nothing and is therefore initialised before most others.
package heap
