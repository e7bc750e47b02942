package reduce

import "fmt"

// anyBetween reports whether what was done so far does not suffice: there is still too much, or too little room for the digest of
// what was moved out.
func (j *job) anyBetween() bool {
	_, start := j.head()
	return j.pending || j.over() && (j.state.Removed > 0 || j.boundedTail() > start)
}

// summarise moves out all between the zones. A model is asked once an epoch.
func (j *job) summarise() string {
	_, start := j.head()
	tail := j.boundedTail()
	j.moveOut(tail)
	if j.pending {
		j.summary = j.summaryOf(j.room())
	}
	j.digestInto(j.room())
	return fmt.Sprintf("%d messages moved out; a digest stands for %d", tail-start, j.state.Removed)
}

// How much of what an epoch comes down to the recent zone may take: by itself, and where the caller said how large it is to be.
const (
	tailShare  = 0.15
	askedShare = 0.6
)

// boundedTail returns the start of the recent zone, later where the zone would take too much. The last turn always stays.
func (j *job) boundedTail() int {
	tail, starts := j.tail(), turns(j.all)
	share := tailShare
	if j.req.PreserveLast != nil && j.zones.Last > 0 {
		share = askedShare
	}
	most := int(float64(j.budget.low) * share)
	for _, at := range starts[:max(len(starts)-1, 0)] {
		if at > tail && j.tokensOf(tail, len(j.all)) > most {
			tail = at
		}
	}
	return tail
}

// tokensOf returns what the messages between two take.
func (j *job) tokensOf(from, to int) int {
	sum := 0
	for i := from; i < to; i++ {
		sum += j.size(&j.all[i]).Value
	}
	return sum
}
