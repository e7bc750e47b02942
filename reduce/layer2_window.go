package reduce

import (
	"fmt"
)

// window returns how many messages a conversation that is too long may have.
func (j *job) window() int {
	if j.req.Window > 0 {
		return j.req.Window
	}
	return j.opts.Window
}

// overWindow: the default window counts only where there are too many tokens, for it is no reason of its own to lose anything.
func (j *job) overWindow() bool {
	return j.epoch && j.count() > j.window() && (j.req.Window > 0 || j.over()) && j.slideTo() > 0
}

// windowShare is how full a window is after the oldest turns were moved out.
const windowShare = 0.9

// slideTo returns where the window begins after the oldest turns were moved out; 0 if none can be.
func (j *job) slideTo() int {
	_, start := j.head()
	most, tail, until := max(int(float64(j.window())*windowShare), 2), j.tail(), start
	count := j.count() - (until - start)
	if !j.digest {
		count++ // that is to come
	}
	for _, at := range turns(j.all) {
		if at > until && at <= tail && count > most {
			count -= at - until
			until = at
		}
	}
	if until == start {
		return 0
	}
	return until
}

// slide moves the oldest turns out, and makes the digest if there is room for one that is worth its place; else the next layer does.
func (j *job) slide() string {
	before := j.state.Removed
	j.moveOut(j.slideTo())
	if j.roomy() {
		j.digestInto(j.room())
	}
	return fmt.Sprintf("%d messages moved out", j.state.Removed-before)
}
