//go:build linux && cgo

package admission

// extern int malloc_trim(unsigned long) __attribute__((weak));
// static void trim(void) { if (malloc_trim) malloc_trim(0); }
import "C"

// trim gives back to the system the memory that C libraries (SQLite's page caches) have freed. Other C libraries than glibc do so by themselves.
func trim() { C.trim() }
