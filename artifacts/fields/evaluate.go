package fields

// An evaluation follows queries through a tree. The selected nodes go to a function one by one, in the order of RFC 9535, so
// that no list of them is built on the way: a segment's list joins the lists of the nodes before it, which is the order of a
// walk in depth.
type evaluation struct {
	*meter
	*tree
	patterns map[string]*expression
}

// follow calls found for every node that the segments lead to from a value.
func (e *evaluation) follow(list []segment, at int32, found func(int32) error) error {
	if err := e.spend(1); err != nil {
		return err
	}
	if len(list) == 0 {
		return found(at)
	}
	s := &list[0]
	for i := range s.picks {
		if err := e.pick(&s.picks[i], at, func(c int32) error { return e.follow(list[1:], c, found) }); err != nil {
			return err
		}
	}
	if !s.descend || e.scalar(at) {
		return nil
	}
	return e.children(at, func(c int32) error { return e.follow(list, c, found) })
}

func (e *evaluation) scalar(at int32) bool { return e.kind(at) != '{' && e.kind(at) != '[' }

// pick calls found for each node that one selector selects of a value.
func (e *evaluation) pick(p *pick, at int32, found func(int32) error) error {
	object := e.kind(at) == '{'
	switch {
	case e.scalar(at):
		return nil
	case p.kind == pickAll:
		return e.children(at, found)
	case p.kind == pickFilter:
		return e.children(at, func(c int32) error {
			holds, err := p.filter.holds(e, c)
			if err != nil || !holds {
				return err
			}
			return found(c)
		})
	case p.kind == pickName && object:
		return e.member(at, p.name, found)
	case p.kind == pickIndex && !object:
		return e.element(at, p.index, found)
	case p.kind == pickSlice && !object:
		return e.slice(at, p, found)
	}
	return nil
}

// member finds the member of a name; of several the last, as decoders of JSON take it.
func (e *evaluation) member(at int32, name string, found func(int32) error) error {
	last := int32(-1)
	err := e.children(at, func(c int32) error {
		if e.named(c, name) {
			last = c
		}
		return e.spend(1)
	})
	if err != nil || last < 0 {
		return err
	}
	return found(last)
}

// element finds the element of an index; a negative one counts from the end.
func (e *evaluation) element(at int32, index int, found func(int32) error) error {
	if index < 0 {
		n, err := e.count(e.meter, at)
		if index += n; err != nil || index < 0 {
			return err
		}
	}
	c := at + 1
	for ; index > 0 && c < e.nodes[at].next; index-- {
		if err := e.spend(1); err != nil {
			return err
		}
		c = e.nodes[c].next
	}
	if c >= e.nodes[at].next {
		return nil
	}
	return found(c)
}

// slice finds the elements from start to end by steps (RFC 9535, 2.3.4.2.2).
func (e *evaluation) slice(at int32, p *pick, found func(int32) error) error {
	var elements []int32
	err := e.children(at, func(c int32) error { elements = append(elements, c); return e.spend(1) })
	if err != nil {
		return err
	}
	for i, end := p.bounds(len(elements)); p.step > 0 && i < end || p.step < 0 && i > end; i += p.step {
		if err := found(elements[i]); err != nil {
			return err
		}
	}
	return nil
}

func fromEnd(i, n int) int {
	if i < 0 {
		return n + i
	}
	return i
}

// bounds returns where a slice of n elements begins, and where it has ended.
func (p *pick) bounds(n int) (from, to int) {
	from, to = 0, n
	least, most := 0, n
	if p.step < 0 {
		from, to = n-1, -1
		least, most = -1, n-1
	}
	if p.start != nil {
		from = min(max(fromEnd(*p.start, n), least), most)
	}
	if p.end != nil {
		to = min(max(fromEnd(*p.end, n), least), most)
	}
	return from, to
}
