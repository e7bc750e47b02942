package reduce

import (
	"fmt"
	"time"
)

func (j *job) overHigh() bool { return j.epoch && j.deciding() > j.budget.high }

// deciding returns the size by which it is decided whether a conversation fits: the upper bound for a limit, which must not be exceeded,
// and the best value for a target, which is a wish.
func (j *job) deciding() int {
	if j.req.Target > 0 {
		return j.tokens().Value
	}
	return j.tokens().Bound
}

// escalationTime is how long the last layer may take.
const escalationTime = 30 * time.Second

// escalate cuts what the results of the recent zone say, the last turn's too, and in the last pass the zone, until the conversation is below
// the mark or the passes are over.
func (j *job) escalate() string {
	began, passes := j.Now(), 0
	for passes < j.opts.Passes && j.overHigh() && j.Now().Sub(began) < escalationTime {
		passes++
		if passes == j.opts.Passes {
			j.zones.Last = 0
		}
		j.pass(passes)
	}
	return fmt.Sprintf("%d of %d passes", passes, j.opts.Passes)
}

// pass cuts the results of the recent zone to their share of what is left, moves out what lies before it, and makes the digest anew.
func (j *job) pass(n int) {
	tail := j.recent()
	j.moveOut(tail)
	_, start := j.head()
	if spots := j.large(start, len(j.all), leastResult); len(spots) > 0 {
		each := max(int(float64(j.budget.low)*tailShare*charsPerToken)/len(spots)/n, leastResult)
		j.cut(j.large(start, len(j.all), each+compressSlack/n), each)
	}
	if j.state.Removed > 0 {
		j.digestInto(j.room())
	}
}

const (
	leastResult   = 400 // characters that are always left of a result
	charsPerToken = 3   // a low guess, for shares
)
