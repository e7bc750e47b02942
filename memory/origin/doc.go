// Package origin tells which web site a source is of, as browsers tell sites apart.
//
// It owns the partition by which content learned from one site stays with it. It keeps no state and fetches nothing:
// the list of public suffixes is compiled in.
package origin
