package network

// Network is read in place and never changes: it is safe for concurrent use. Its words have numbers from 0.
type Network struct {
	notice, about string
	words, forms  names
}

// Open returns the network that Encode wrote. It returns an error if data is not that of this version, or is cut off. The
// rest is trusted: it is part of the binary.
func Open(data string) (*Network, error) {
	return disassemble(data)
}

// Notice returns the notice that goes with every copy.
func (n *Network) Notice() string { return n.notice }

// Len returns the number of words.
func (n *Network) Len() int { return n.words.count }

// Find returns the number of a word.
func (n *Network) Find(word string) (id int, found bool) { return n.words.find(word) }

// Word returns a word by its number.
func (n *Network) Word(id int) string { return n.words.at(id) }

// Bases returns the numbers of the words of which a form is an irregular form.
func (n *Network) Bases(form string) []int {
	id, found := n.forms.find(form)
	if !found {
		return nil
	}
	var all []int
	for r := n.forms.record(id); r != ""; {
		base, width := uvarint(r)
		all, r = append(all, base), r[width:]
	}
	return all
}

// About holds the properties of a word beside its links.
type About struct {
	Parts      Part
	Commonness int // 0 to MaxCommonness
	// Hub is the logarithm of how many words are linked to it, to base 2 and at most MaxHub: a word that all lead to says little.
	Hub int
}

// About returns the properties of a word.
func (n *Network) About(id int) About {
	one, two := n.about[2*id], n.about[2*id+1]
	return About{Parts: Part(one & 15), Commonness: int(one >> 4), Hub: int(two)}
}

// Edge is a link by the number of its word.
type Edge struct {
	ID      int
	Channel Channel
	Weight  float64
}

// Edges appends the links of a word, by channel and number.
func (n *Network) Edges(to []Edge, id int) []Edge {
	for r := n.words.record(id); r != ""; {
		channel, count := Channel(r[0]>>5), int(r[0]&31)
		r = r[1:]
		start, linked := len(to), 0
		for range count {
			step, width := uvarint(r)
			linked += step
			to, r = append(to, Edge{ID: linked, Channel: channel}), r[width:]
		}
		for i := range count {
			to[start+i].Weight = float64(r[i/2]>>(4*(i%2))&15+1) / steps
		}
		r = r[(count+1)/2:]
	}
	return to
}
