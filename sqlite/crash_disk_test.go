package sqlite

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
)

// kind is the kind of an event. The first are written by the shim, the others by the recorded life.
type kind uint64

const (
	opened    kind = 'o'
	written   kind = 'w'
	truncated kind = 't'
	synced    kind = 's'
	removed   kind = 'u'

	acknowledged kind = 'a' // the note is on disk, the store says
	erasing      kind = 'x' // from here on it may be gone
	erased       kind = 'e' // it is gone, the store says
)

// event is a record of the log. The name is of a file in the directory, "" for the directory itself, or a note's id.
type event struct {
	kind         kind
	name         string
	offset, size int64
	data         []byte
}

// mark appends an event to the log in one write, so that it falls between two records of the shim.
func mark(log *os.File, k kind, id string) error {
	b := binary.NativeEndian.AppendUint64(nil, uint64(k))
	b = binary.NativeEndian.AppendUint64(b, uint64(len(id)))
	b = append(b, make([]byte, 16)...)
	_, err := log.Write(append(b, id...))
	return err
}

func readLog(path string) ([]event, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	number := func() int64 {
		n := binary.NativeEndian.Uint64(b)
		b = b[8:]
		return int64(n)
	}
	take := func(n int64) []byte {
		taken := b[:n]
		b = b[n:]
		return taken
	}
	var events []event
	for len(b) > 0 {
		e := event{kind: kind(number())}
		length := number()
		e.offset, e.size = number(), number()
		e.name = string(take(length))
		if e.kind == written {
			e.data = take(e.size)
		}
		events = append(events, e)
	}
	return events, nil
}

const sector = 512 // bytes that a disk writes whole or not at all

// disk models the possible content of a disk after the power fails. It forgives less than a file system does:
//
//   - What was written to a file since its last sync is there or not, each write by itself and in any order, and of some
//     writes only some sectors.
//   - So is a change of length; what was written before it comes before it.
//   - A file that was made or removed since the last sync of the directory is there or not. A sync of the file alone does
//     not keep its name.
//   - What was synced stays.
//
// The directory itself is taken to be there.
type disk struct {
	names    map[string]*file // as the process sees them
	kept     map[string]*file // as of the last sync of the directory
	nameless map[string]*file // removed while the process has them open, as it does with a spill of SQLite's
}

// file is the content that is surely on disk, and the events since.
type file struct {
	synced []byte
	since  []event
}

func newDisk() *disk { return &disk{map[string]*file{}, map[string]*file{}, map[string]*file{}} }

// happen brings the disk forward by an event. It returns an error for one that the recorder does not understand.
func (d *disk) happen(e event) error {
	f := d.names[e.name]
	if f == nil && e.kind != opened {
		f = d.nameless[e.name]
	}
	switch {
	case e.kind == acknowledged || e.kind == erasing || e.kind == erased:
	case e.kind == opened && e.name == "":
	case e.kind == opened && f == nil:
		d.names[e.name] = &file{}
	case e.kind == opened:
	case e.kind == synced && e.name == "":
		d.kept = maps.Clone(d.names)
	case f == nil:
		return fmt.Errorf("event %c on %q, which was never opened", rune(e.kind), e.name)
	case e.kind == removed:
		delete(d.names, e.name)
		d.nameless[e.name] = f
	case e.kind == synced:
		for _, w := range f.since {
			f.synced = w.apply(f.synced)
		}
		f.since = nil
	case e.kind == written, e.kind == truncated:
		f.since = append(f.since, e)
	default:
		return fmt.Errorf("event %c on %q is not understood", rune(e.kind), e.name)
	}
	return nil
}

// apply returns the content after a write or a change of length.
func (e event) apply(content []byte) []byte {
	if e.kind == truncated {
		return append(content[:min(e.size, int64(len(content)))], make([]byte, max(0, e.size-int64(len(content))))...)
	}
	end := e.offset + int64(len(e.data))
	if short := end - int64(len(content)); short > 0 {
		content = append(content, make([]byte, short)...)
	}
	copy(content[e.offset:], e.data)
	return content
}

// cut returns the files that one disk may hold when the power fails now.
func (d *disk) cut(rnd *rand.Rand) map[string][]byte {
	files := map[string][]byte{}
	luck := rnd.Float64() * 1.2 // the share of unsynced writes that is there; all of them at times
	names := maps.Clone(d.kept)
	maps.Copy(names, d.names)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		f := d.kept[name]
		if d.names[name] != f && rnd.Float64() < luck {
			f = d.names[name]
		}
		if f != nil {
			files[name] = f.cut(rnd, luck)
		}
	}
	return files
}

// cut returns a possible content of the file on disk. About the share luck of the writes that were not synced is in it.
func (f *file) cut(rnd *rand.Rand, luck float64) []byte {
	content := slices.Clone(f.synced)
	shuffled := slices.Clone(f.since)
	for from, to := 0, 0; from < len(shuffled); from = to + 1 { // writes between two changes of length
		for to = from; to < len(shuffled) && shuffled[to].kind == written; to++ {
		}
		run := shuffled[from:to]
		rnd.Shuffle(len(run), func(i, j int) { run[i], run[j] = run[j], run[i] })
	}
	for _, e := range shuffled {
		if rnd.Float64() >= luck {
			continue
		}
		for _, part := range e.torn(rnd) {
			content = part.apply(content)
		}
	}
	return content
}

// torn returns the parts of an event that reach the disk: one write in four loses about half of its sectors.
func (e event) torn(rnd *rand.Rand) []event {
	if e.kind == truncated || rnd.IntN(4) > 0 {
		return []event{e}
	}
	var parts []event
	for at := int64(0); at < int64(len(e.data)); {
		end := min((e.offset+at)/sector*sector+sector-e.offset, int64(len(e.data)))
		if rnd.IntN(2) == 0 {
			parts = append(parts, event{kind: written, offset: e.offset + at, data: e.data[at:end]})
		}
		at = end
	}
	return parts
}
