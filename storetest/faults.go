package storetest

import (
	"errors"
	"reflect"
	"slices"
	"sync"
)

// ErrFault is the error with which a point fails.
var ErrFault = errors.New("the fault of a test")

// Fault says how a point fails.
type Fault string

// The ways to fail: with an error or a panic, before the work or after it was done.
const (
	ErrorBefore Fault = "error before"
	ErrorAfter  Fault = "error after"
	PanicBefore Fault = "panic before"
	PanicAfter  Fault = "panic after"
)

// AllFaults lists the ways to fail.
func AllFaults() []Fault { return []Fault{ErrorBefore, ErrorAfter, PanicBefore, PanicAfter} }

// Faults makes one pass of one point fail: a point is a method or a function that calls Strike or Do. It notes which points were
// passed. The zero value makes none fail. It is safe for concurrent use.
type Faults struct {
	mu     sync.Mutex
	point  string
	fault  Fault
	passed []string
}

// Arm makes the next pass of the point fail.
func (f *Faults) Arm(point string, fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.point, f.fault = point, fault
}

// Armed reports whether the point that was armed has not been passed yet.
func (f *Faults) Armed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fault != ""
}

// Passed returns the points that were passed since the last call of Passed, each once, in the order of the first pass.
func (f *Faults) Passed() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.passed
	f.passed = nil
	return all
}

// pass notes that a point is passed, and returns how it is to fail.
func (f *Faults) pass(point string) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.passed, point) {
		f.passed = append(f.passed, point)
	}
	if f.fault == "" || f.point != point {
		return ""
	}
	fault := f.fault
	f.fault = ""
	return fault
}

// Do runs the function as a point, which may fail instead of it, or after it.
func (f *Faults) Do(point string, run func() error) error {
	_, err := Strike(f, point, func() (struct{}, error) { return struct{}{}, run() })
	return err
}

// Strike is Do for a function with an answer.
func Strike[T any](f *Faults, point string, run func() (T, error)) (T, error) {
	var none T
	fault := f.pass(point)
	switch fault {
	case ErrorBefore:
		return none, ErrFault
	case PanicBefore:
		panic(ErrFault)
	}
	answer, err := run()
	switch fault {
	case ErrorAfter:
		return none, ErrFault
	case PanicAfter:
		panic(ErrFault)
	}
	return answer, err
}

// Methods returns the names of the methods of an interface.
func Methods[I any]() (all []string) {
	for m := range reflect.TypeFor[I]().Methods() {
		all = append(all, m.Name)
	}
	return all
}
