package reduce

import "math"

// The worth of a name or a line is the chance that what the agent does later uses it: a logistic model over the features of two
// tables. The weights were fitted to what agents reused in recorded sessions, and checked on sessions that the fit had not seen; they carry
// over. No feature knows a word of any session.

// nameFeature is a property of a name.
type nameFeature struct {
	Name   string
	weight float64
	Doc    string
	of     func(c *corpus, n *nameInfo) float64
}

// lineFeature is a property of a line.
type lineFeature struct {
	Name   string
	weight float64
	Doc    string
	of     func(c *corpus, l *line) float64
}

func (c *corpus) worthOfName(n *nameInfo) float64 {
	sum := 0.0
	for i := range nameFeatures {
		sum += nameFeatures[i].weight * nameFeatures[i].of(c, n)
	}
	return logistic(sum)
}

func (c *corpus) worthOfLine(l *line) float64 {
	sum := 0.0
	for i := range lineFeatures {
		sum += lineFeatures[i].weight * lineFeatures[i].of(c, l)
	}
	return logistic(sum)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func logOf(n int) float64 { return math.Log1p(float64(n)) }

// age returns how far back a segment is, 0 for the last one and 1 for the first.
func (c *corpus) age(seg int) float64 {
	if len(c.segs) < 2 {
		return 0
	}
	return float64(len(c.segs)-1-seg) / float64(len(c.segs)-1)
}

// heatOf returns the mean heat of the lines of a segment.
func (c *corpus) heatOf(seg int) float64 {
	return c.infos[seg].heat / float64(max(c.infos[seg].lines, 1))
}
