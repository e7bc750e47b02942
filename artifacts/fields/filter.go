package fields

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf8"
)

// A condition is the expression of a filter, or a part of one.
type condition interface {
	// holds reports whether the value satisfies it. The error is of the meter.
	holds(e *evaluation, at int32) (bool, error)
}

// anyOf holds if one of its conditions does, allOf if all do.
type (
	anyOf []condition
	allOf []condition
	not   struct{ condition }
)

func (c anyOf) holds(e *evaluation, at int32) (bool, error) {
	for _, one := range c {
		if holds, err := one.holds(e, at); err != nil || holds {
			return holds, err
		}
	}
	return false, nil
}

func (c allOf) holds(e *evaluation, at int32) (bool, error) {
	for _, one := range c {
		if holds, err := one.holds(e, at); err != nil || !holds {
			return false, err
		}
	}
	return true, nil
}

func (c not) holds(e *evaluation, at int32) (bool, error) {
	holds, err := c.condition.holds(e, at)
	return !holds, err
}

// errFound ends a walk of which one node is enough.
var errFound = errors.New("found")

// exists holds if the query selects something.
type exists struct{ query }

func (c exists) holds(e *evaluation, at int32) (bool, error) {
	err := e.run(&c.query, at, func(int32) error { return errFound })
	if errors.Is(err, errFound) {
		return true, nil
	}
	return false, err
}

// run calls found for every node of a query in a filter.
func (e *evaluation) run(q *query, at int32, found func(int32) error) error {
	if !q.relative {
		at = 0
	}
	return e.follow(q.segments, at, found)
}

// A value is a side of a comparison. The zero value is Nothing (RFC 9535, 2.4.1).
type value struct {
	kind   byte // the first byte of its JSON; '0' for all numbers; 0: Nothing
	number float64
	text   string
	at     int32 // of an object or an array
}

// An operand gives a value to compare.
type operand interface {
	value(e *evaluation, at int32) (value, error)
}

// A literal is a value that the path gives.
type literal value

func (l literal) value(*evaluation, int32) (value, error) { return value(l), nil }

// value of a query is that of its single node, or Nothing.
func (q query) value(e *evaluation, at int32) (v value, err error) {
	err = e.run(&q, at, func(n int32) error { v, err = e.valueOf(n); return err })
	return v, err
}

// valueOf returns the value that stands there.
func (e *evaluation) valueOf(at int32) (value, error) {
	raw := e.raw(at)
	switch c := raw[0]; c {
	case '"':
		return value{kind: c, text: unquoted(raw)}, e.spend(1 + len(raw)/16)
	case '{', '[':
		return value{kind: c, at: at}, nil
	case 't', 'f', 'n':
		return value{kind: c}, nil
	default:
		number, _ := strconv.ParseFloat(string(raw), 64) // infinity if it is too large
		return value{kind: '0', number: number}, nil
	}
}

// comparison compares two values (RFC 9535, 2.3.5.2.2).
type comparison struct {
	left  operand
	op    string
	right operand
}

func (c comparison) holds(e *evaluation, at int32) (bool, error) {
	a, err := c.left.value(e, at)
	if err != nil {
		return false, err
	}
	b, err := c.right.value(e, at)
	if err != nil {
		return false, err
	}
	if c.op == "<" || c.op == ">" {
		return c.op == "<" && less(a, b) || c.op == ">" && less(b, a), nil
	}
	same, err := e.equal(a, b)
	switch c.op {
	case "!=":
		same = !same
	case "<=":
		same = same || less(a, b)
	case ">=":
		same = same || less(b, a)
	}
	return same, err
}

func less(a, b value) bool {
	return a.kind == b.kind && (a.kind == '0' && a.number < b.number || a.kind == '"' && a.text < b.text)
}

// equal reports whether the values are one: numbers by their size, objects in any order of their members.
func (e *evaluation) equal(a, b value) (bool, error) {
	if err := e.spend(1 + min(len(a.text), len(b.text))/16); err != nil || a.kind != b.kind {
		return false, err
	}
	switch a.kind {
	case '0':
		return a.number == b.number, nil
	case '"':
		return a.text == b.text, nil
	case '[', '{':
		return e.equalParts(a.at, b.at)
	}
	return true, nil
}

func (e *evaluation) equalParts(a, b int32) (bool, error) {
	if a == b || bytes.Equal(e.raw(a), e.raw(b)) {
		return true, e.spend(len(e.raw(a)) / 16)
	}
	n, err := e.count(e.meter, a)
	if err != nil {
		return false, err
	}
	if m, err := e.count(e.meter, b); err != nil || n != m {
		return false, err
	}
	other := b + 1
	err = e.children(a, func(c int32) error {
		against := other
		if e.kind(a) == '{' {
			against = -1
			if err := e.member(b, e.nameOf(c), func(found int32) error { against = found; return nil }); err != nil {
				return err
			}
		} else {
			other = e.nodes[other].next
		}
		return e.alike(c, against)
	})
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	return err == nil, err
}

// errDiffers ends a comparison.
var errDiffers = errors.New("differs")

// alike returns errDiffers unless both are one value.
func (e *evaluation) alike(a, b int32) error {
	if b < 0 {
		return errDiffers
	}
	left, err := e.valueOf(a)
	if err != nil {
		return err
	}
	right, err := e.valueOf(b)
	if err != nil {
		return err
	}
	same, err := e.equal(left, right)
	if err == nil && !same {
		return errDiffers
	}
	return err
}

// length, counted and single are the functions of RFC 9535, 2.4, that give a value.
type (
	length  struct{ of operand }
	counted struct{ of query }
	single  struct{ of query }
)

func (f length) value(e *evaluation, at int32) (value, error) {
	v, err := f.of.value(e, at)
	if err != nil {
		return value{}, err
	}
	n := 0
	switch v.kind {
	case '"':
		n = utf8.RuneCountInString(v.text)
	case '{', '[':
		n, err = e.count(e.meter, v.at)
	default:
		return value{}, nil
	}
	return value{kind: '0', number: float64(n)}, err
}

func (f counted) value(e *evaluation, at int32) (value, error) {
	n := 0
	err := e.run(&f.of, at, func(int32) error { n++; return nil })
	return value{kind: '0', number: float64(n)}, err
}

func (f single) value(e *evaluation, at int32) (value, error) {
	n, last := 0, int32(0)
	err := e.run(&f.of, at, func(c int32) error {
		if n++; n > 1 {
			return errFound
		}
		last = c
		return nil
	})
	if err != nil || n != 1 {
		if errors.Is(err, errFound) {
			err = nil
		}
		return value{}, err
	}
	return e.valueOf(last)
}
