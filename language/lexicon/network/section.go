package network

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// section writes sorted names with their records in blocks. Each block begins in the index with the offset of its names and
// of its records, four bytes each; a name is the length that it shares with the one before, the length of the rest, and the
// rest; a record has its length before it.
func section(names []string, records [][]byte) (index, body []byte) {
	var text, data []byte
	var starts []uint32
	for i, name := range names {
		shared := 0
		if i%blockSize == 0 {
			starts = append(starts, uint32(len(text)), uint32(len(data)))
		} else {
			shared = sharedPrefix(names[i-1], name)
		}
		text = append(text, byte(shared), byte(len(name)-shared))
		text = append(text, name[shared:]...)
		data = binary.AppendUvarint(data, uint64(len(records[i])))
		data = append(data, records[i]...)
	}
	for i, at := range starts {
		if i%2 == 1 { // the records follow the names
			at += uint32(len(text))
		}
		index = binary.LittleEndian.AppendUint32(index, at)
	}
	return index, append(text, data...)
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// assemble puts the parts behind a head: the counts of words and forms, and the lengths of the parts but the last.
func assemble(words, forms int, parts ...[]byte) []byte {
	all := []byte(magic)
	head := []int{words, forms}
	for _, p := range parts[:len(parts)-1] {
		head = append(head, len(p))
	}
	for _, n := range head {
		all = binary.LittleEndian.AppendUint32(all, uint32(n))
	}
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// disassemble is the opposite of assemble.
func disassemble(data string) (*Network, error) {
	if len(data) < headLength || !strings.HasPrefix(data, magic) {
		return nil, fmt.Errorf("network: not a network of words, or of another version")
	}
	var head [headNumbers]int
	for i := range head {
		head[i] = number(data[len(magic):], i)
	}
	n := &Network{words: names{count: head[0]}, forms: names{count: head[1]}}
	rest := data[headLength:]
	for i, into := range []*string{&n.notice, &n.about, &n.words.index, &n.words.body, &n.forms.index} {
		length := head[2+i]
		if length > len(rest) {
			return nil, fmt.Errorf("network: cut off after %d bytes", len(data))
		}
		*into, rest = rest[:length], rest[length:]
	}
	n.forms.body = rest
	if len(n.about) != 2*n.words.count || len(n.words.index) != 8*blocks(n.words.count) || len(n.forms.index) != 8*blocks(n.forms.count) {
		return nil, fmt.Errorf("network: the counts of words do not fit")
	}
	return n, nil
}

// names is a section that is read in place.
type names struct {
	count       int
	index, body string
}

func blocks(count int) int { return (count + blockSize - 1) / blockSize }

// number returns the little-endian number at a place in a list of them.
func number(list string, place int) int {
	b := list[4*place : 4*place+4]
	return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 | int(b[3])<<24
}

// first returns the first name of a block.
func (n names) first(block int) string {
	at := number(n.index, 2*block)
	return n.body[at+2 : at+2+int(n.body[at+1])]
}

// find returns the number of a name.
func (n names) find(name string) (int, bool) {
	low, high := 0, blocks(n.count) // the block is in [low, high), if any
	for high-low > 1 {
		if middle := (low + high) / 2; n.first(middle) <= name {
			low = middle
		} else {
			high = middle
		}
	}
	if high == 0 || n.first(low) > name {
		return 0, false
	}
	at := number(n.index, 2*low)
	matched := 0 // letters of name that the name before shares
	for i := low * blockSize; i < min((low+1)*blockSize, n.count); i++ {
		shared, rest := int(n.body[at]), n.body[at+2:at+2+int(n.body[at+1])]
		at += 2 + len(rest)
		if shared < matched {
			return 0, false // it has another letter where the name matched: all that follow stand behind the name
		}
		if shared > matched {
			continue // it differs where the one before did
		}
		same := sharedPrefix(rest, name[matched:])
		if matched += same; matched == len(name) && same == len(rest) {
			return i, true
		}
	}
	return 0, false
}

// at returns a name by its number.
func (n names) at(id int) string {
	var text [maxWord + 5]byte
	length := 0
	at := number(n.index, 2*(id/blockSize))
	for range id%blockSize + 1 {
		shared, rest := int(n.body[at]), n.body[at+2:at+2+int(n.body[at+1])]
		length = shared + copy(text[shared:], rest)
		at += 2 + len(rest)
	}
	return string(text[:length])
}

// record returns the record of a name by its number.
func (n names) record(id int) string {
	at := number(n.index, 2*(id/blockSize)+1)
	for range id % blockSize {
		length, width := uvarint(n.body[at:])
		at += width + length
	}
	length, width := uvarint(n.body[at:])
	return n.body[at+width : at+width+length]
}

// uvarint is binary.Uvarint of a string.
func uvarint(s string) (value, width int) {
	for i := 0; i < len(s); i++ {
		value |= int(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return value, i + 1
		}
	}
	return value, len(s)
}
