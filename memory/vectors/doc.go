// Package vectors finds the vectors nearest to one, in memory.
//
// It owns Segment, which holds the vectors of one place in three grains, and Cache, which bounds what all segments take. A
// search reads a code of one bit a dimension for every vector, one of eight bits for those that may be among the nearest,
// and leaves the last word to its caller, who has the vectors themselves: Segment.Slack says how far to look.
//
// It refuses to be the truth. A segment is a copy that can be dropped at any time; it knows vectors by a number and knows
// nothing of what they stand for. It mixes no models and no dimensions: that is one segment each.
//
// Its invariant is that a search misses none of the nearest, whatever the vectors look like, because every code carries the
// bound of its own error, and whatever the bound lets through is looked at more closely.
package vectors
