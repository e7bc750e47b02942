package receipts

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// tree is a Merkle tree (RFC 6962) of which only the hashes are held that an append needs: those of the largest complete
// subtrees, at most one for each bit of the size. The numbers of hashes are tlog's. The zero value is empty.
type tree struct {
	size int64
	held map[int64]tlog.Hash
}

// nodeSize is the size of one held hash in a frontier: its number and itself.
const nodeSize = 8 + tlog.HashSize

// parseTree reads a frontier. It returns an error for one that does not belong to the size.
func parseTree(size int64, frontier []byte) (*tree, error) {
	t := &tree{size: size, held: map[int64]tlog.Hash{}}
	if len(frontier)%nodeSize != 0 {
		return nil, fmt.Errorf("a frontier of %d bytes", len(frontier))
	}
	for ; len(frontier) > 0; frontier = frontier[nodeSize:] {
		t.held[int64(binary.BigEndian.Uint64(frontier))] = tlog.Hash(frontier[8:nodeSize])
	}
	if _, err := t.root(); err != nil {
		return nil, err
	}
	return t, nil
}

// frontier returns the held hashes in order of their numbers.
func (t *tree) frontier() []byte {
	var out []byte
	for _, number := range slices.Sorted(maps.Keys(t.held)) {
		hash := t.held[number]
		out = binary.BigEndian.AppendUint64(out, uint64(number))
		out = append(out, hash[:]...)
	}
	return out
}

// ReadHashes implements tlog.HashReader.
func (t *tree) ReadHashes(numbers []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(numbers))
	for i, number := range numbers {
		hash, held := t.held[number]
		if !held {
			return nil, fmt.Errorf("a frontier of size %d does not hold the hash %d", t.size, number)
		}
		hashes[i] = hash
	}
	return hashes, nil
}

// add appends a leaf, and returns the hashes that are new, the first of which has the number tlog.StoredHashCount(size).
func (t *tree) add(leaf tlog.Hash) ([]tlog.Hash, error) {
	hashes, err := tlog.StoredHashesForRecordHash(t.size, leaf, t)
	if err != nil {
		return nil, err
	}
	if t.held == nil {
		t.held = map[int64]tlog.Hash{}
	}
	top := len(hashes) - 1
	for level := range top { // the new subtree covers these hashes
		delete(t.held, tlog.StoredHashIndex(level, t.size>>level-1))
	}
	t.held[tlog.StoredHashIndex(top, t.size>>top)] = hashes[top]
	t.size++
	return hashes, nil
}

// root returns the hash of the whole tree.
func (t *tree) root() (tlog.Hash, error) { return tlog.TreeHash(t.size, t) }
