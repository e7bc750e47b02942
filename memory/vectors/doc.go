// Package vectors finds the vectors nearest to one, in memory.
//
// It owns Segment, which holds the vectors of one place in three grains, and Cache, which bounds the memory of all
// segments. A search reads a code of one bit a dimension for every vector, one of eight bits for those that may be among
// the nearest, and leaves the last word to its caller, who has the vectors themselves: Segment.Slack says how far to look.
//
// It refuses to be the truth. A segment is a copy that can be dropped at any time; it knows vectors by a number and
// nothing of their meaning. It mixes no models and no dimensions: that is one segment each.
//
// Its invariant is that a search misses none of the nearest of any vectors, because every code carries the bound of its own
// error, and every vector within the bound is looked at more closely.
package vectors
