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
	tail := j.recent()
	j.moveOut(tail)
	if j.pending {
		j.summary = j.summaryOf(j.room())
	}
	j.digestInto(max(j.room(), int(float64(j.budget.low)*leastDigest)))
	return fmt.Sprintf("%d messages moved out; a digest stands for %d", max(tail-start, 0), j.state.Removed)
}

// The share of the recent zone in the size to which an epoch comes down: by itself (tailShare), with its least messages before the last turn, for
// which their results are cut (recentShare), and where the caller said how large it is to be (askedShare). Of what a conversation may grow to
// these messages may take mostRecent, and the last turn lastTurnShare, for which its results are cut. All that leaves digestLeast to a
// digest, which gets leastDigest in any case: the last turn, if that is why there is no room, is for the next layer.
const (
	tailShare     = 0.12
	recentShare   = 0.1
	lastTurnShare = 0.08
	mostRecent    = 0.25
	digestLeast   = 0.4
	leastDigest   = 0.15

	handOffSlack = 200 // characters: for less a result is not cut
	askedShare   = 0.6
)

// recent returns the start of the recent zone, after the long results in it were handed off where the zone takes too much. Only where
// its least messages do not fit even then it is smaller, and the caller is told.
func (j *job) recent() int {
	tail, starts := j.boundedTail(), turns(j.all)
	last := starts[max(len(starts)-2, 0)]
	j.handOff(tail, last, int(float64(j.budget.low)*recentShare))
	j.handOff(last, len(j.all), int(float64(j.budget.trigger)*lastTurnShare))
	head, start := j.head()
	least := tail
	most := min(int(float64(j.budget.trigger)*mostRecent), int(float64(j.budget.low)*(1-digestLeast))-j.tokensOf(0, head)-j.tokensOf(last, len(j.all)))
	for _, at := range starts {
		if at > tail && at <= last && j.tokensOf(tail, last) > most {
			tail = at
		}
	}
	if tail > least && tail > start && len(j.all)-tail < leastLast {
		j.warn("only the last %d messages stay as they are: %d do not fit", len(j.all)-tail, min(leastLast, len(j.all)-least))
	}
	return tail
}

// handOff cuts the results between two messages so far that these take so many tokens.
func (j *job) handOff(from, until, most int) {
	spots := j.large(from, until, leastResult+handOffSlack)
	over := j.tokensOf(from, until) - most
	if len(spots) == 0 || over <= 0 {
		return
	}
	chars := 0
	for _, at := range spots {
		chars += len(j.all[at.message].Parts[at.part].Text)
	}
	each := max((chars-over*charsPerToken)/len(spots), leastResult)
	j.cut(j.large(from, until, each+handOffSlack), each)
}

// boundedTail returns the start of the recent zone, later where the zone would take too much, but not behind its least messages.
func (j *job) boundedTail() int {
	tail, starts := j.tail(), turns(j.all)
	_, least := Zones{Last: min(leastLast, j.zones.Last)}.split(j.all)
	share := tailShare
	if j.req.PreserveLast != nil && j.zones.Last > 0 {
		share = askedShare
	}
	most := int(float64(j.budget.low) * share)
	for _, at := range starts[:max(len(starts)-1, 0)] {
		if at > tail && at <= least && j.tokensOf(tail, len(j.all)) > most {
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
