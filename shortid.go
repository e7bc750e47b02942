package ctxmcp

// shortLength is how many characters the short form of an id has. It is the end of the id: that of a UUID is random, whereas
// version 7 begins with the time, so that the objects of one minute begin alike.
const shortLength = 6

// LeastShortID is the length of the shortest end of an id that is taken for the id.
const LeastShortID = 4

// ShortID returns the short form of an id: its last six characters, or all of a shorter one.
func ShortID(id string) string { return endOf(id, shortLength) }

// ShortIDs returns the short forms of ids that stand together: as long as it takes to tell them apart.
func ShortIDs(ids []string) map[string]string {
	short := make(map[string]string, len(ids))
	for _, id := range ids {
		n := shortLength
		for n < len(id) && sharesEnd(ids, id, n) {
			n++
		}
		short[id] = endOf(id, n)
	}
	return short
}

// sharesEnd reports whether another of the ids has the same last n characters.
func sharesEnd(ids []string, id string, n int) bool {
	for _, other := range ids {
		if other != id && endOf(other, n) == endOf(id, n) {
			return true
		}
	}
	return false
}

func endOf(id string, n int) string { return id[max(len(id)-n, 0):] }
